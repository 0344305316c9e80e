// Before the page is shown, so that it is never shown in the other colours.
(function () {
  'use strict';
  try {
    const theme = localStorage.getItem('delayqueue-theme');
    if (theme === 'dark' || theme === 'light') {
      document.documentElement.dataset.theme = theme;
    }
  } catch (ignored) {
    // A browser that keeps nothing shows the colours of its system.
  }
})();
