// What pages do beyond HTML. Without this script all of them work.
(function () {
  'use strict';

  const root = document.documentElement;

  // --- colours

  function isDark() {
    const theme = root.dataset.theme;
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function beginTheme() {
    const button = document.getElementById('theme');
    function label() {
      button.textContent = isDark() ? 'Light colours' : 'Dark colours';
    }
    button.hidden = false;
    label();
    button.addEventListener('click', function () {
      const theme = isDark() ? 'light' : 'dark';
      root.dataset.theme = theme;
      label();
      try {
        localStorage.setItem('delayqueue-theme', theme);
      } catch (ignored) {
        // It lasts for this page then.
      }
    });
  }

  // --- the viewer's zone beside UTC

  const own = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  function showOwnZone(part) {
    for (const time of part.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      if (!isNaN(at) && !time.dataset.own) {
        time.dataset.own = 'true';
        time.title = own.format(at) + ' ' + zone;
        const text = document.createElement('span');
        text.className = 'own';
        text.textContent = own.format(at) + ' (' + zone + ')';
        time.after(' ', text);
      }
    }
  }

  // --- questions before what cannot be taken back

  function beginQuestions() {
    document.addEventListener('submit', function (event) {
      const question = event.submitter && event.submitter.dataset.question
        ? event.submitter.dataset.question
        : event.target.dataset.question;
      if (question && !window.confirm(question)) {
        event.preventDefault();
      }
    });
  }

  // --- live parts

  const POLL = 5000;
  const status = document.getElementById('live-state');

  /** A banner about a change is shown once, not each time the page is loaded. */
  function forgetWhatWasSaid() {
    const address = new URL(location.href);
    if (address.searchParams.has('done')) {
      address.searchParams.delete('done');
      history.replaceState(history.state, '', address);
    }
  }

  function say(text) {
    if (status.textContent !== text) {
      status.textContent = text;
    }
  }

  function region(name) {
    return document.querySelector('[data-live="' + CSS.escape(name) + '"]');
  }

  /** Returns whether the user is typing there, has typed something, or has selected text. */
  function isInUse(part) {
    const at = document.activeElement;
    const selection = getSelection();
    return (part.contains(at) && at.matches('input, select'))
      || Array.from(part.querySelectorAll('input')).some(input => input.value !== input.defaultValue)
      || (!selection.isCollapsed && selection.containsNode(part, true));
  }

  /** Replaces a part, unless it is in use. Keeps the focus, and what was open. */
  function renew(part, html) {
    if (part.dataset.seen === html || isInUse(part)) {
      return;
    }
    part.dataset.seen = html;
    const focused = part.contains(document.activeElement)
      ? Array.from(part.querySelectorAll('a, button, summary')).indexOf(document.activeElement)
      : -1;
    const opened = Array.from(part.querySelectorAll('details'), details => details.open);
    part.innerHTML = html;
    part.querySelectorAll('details').forEach(function (details, i) {
      details.open = opened[i] === true;
    });
    showOwnZone(part);
    if (focused >= 0) {
      const same = part.querySelectorAll('a, button, summary')[focused];
      if (same) {
        same.focus({ preventScroll: true });
      }
    }
  }

  async function poll() {
    try {
      const address = new URL(location.href);
      address.searchParams.set('renewal', 'true');
      const answer = await fetch(address, { headers: { Accept: 'text/html' }, cache: 'no-store' });
      if (answer.ok && !answer.redirected) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        for (const part of page.querySelectorAll('[data-live]')) {
          const old = region(part.dataset.live);
          if (old) {
            renew(old, part.innerHTML);
          }
        }
        say('Updated every 5 s.');
      } else if (answer.redirected || answer.status === 401 || answer.status === 403) {
        say('You are not signed in any more. Load the page again.');
      } else {
        say('Not updated: the application answers with an error. What you see may be old.');
      }
    } catch (ignored) {
      say('Not updated: the application does not answer. What you see may be old.');
    }
    pollLater(POLL);
  }

  /** Waits while nobody looks at the page. */
  function pollLater(millis) {
    setTimeout(function () {
      if (document.hidden) {
        document.addEventListener('visibilitychange', poll, { once: true });
      } else {
        poll();
      }
    }, millis);
  }

  forgetWhatWasSaid();
  beginTheme();
  showOwnZone(document);
  beginQuestions();
  if (document.body.dataset.isLive === 'true') {
    pollLater(POLL);
  }
})();
