// Sets the theme before the page is shown, so that the page never appears in the wrong colours.
(function () {
  'use strict';
  try {
    const theme = localStorage.getItem('delayqueue-theme');
    if (theme === 'dark' || theme === 'light') {
      document.documentElement.dataset.theme = theme;
    }
  } catch (ignored) {
    // Without storage, the browser uses the colours of the system.
  }
})();
