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
  const SILENCE = 10000;
  const status = document.getElementById('live-state');

  /** What was said of a change is said once, and not by the page's address for ever. */
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

  /** Whether somebody writes there, or has written something that is not sent yet. */
  function isBeingFilledIn(part) {
    const at = document.activeElement;
    return (part.contains(at) && at.matches('input, select'))
      || Array.from(part.querySelectorAll('input')).some(input => input.value !== input.defaultValue);
  }

  /** Puts a part in the place of the old one; the keyboard stays where it was, and open what was. */
  function renew(name, html) {
    const part = region(name);
    if (!part || isBeingFilledIn(part)) {
      return;
    }
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
    if (!document.hidden) {
      try {
        const address = new URL(location.href);
        address.searchParams.set('renewal', 'true');
        const answer = await fetch(address, { headers: { Accept: 'text/html' }, cache: 'no-store' });
        if (answer.ok && !answer.redirected) {
          const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
          for (const part of page.querySelectorAll('[data-live]')) {
            const old = region(part.dataset.live);
            if (old && old.dataset.seen !== part.innerHTML) {
              old.dataset.seen = part.innerHTML;
              renew(part.dataset.live, part.innerHTML);
            }
          }
          say('Renewed every few seconds.');
        } else {
          say('The application answers with an error; what you see may be old.');
        }
      } catch (ignored) {
        say('The application does not answer; what you see may be old.');
      }
    }
    setTimeout(poll, POLL);
  }

  /**
   * Listens while somebody looks. A proxy may keep events back though the stream is open: where no sign of life comes
   * the page asks by itself.
   */
  function listen() {
    let source = null;
    let silence = null;
    let failures = 0;

    function isAlive() {
      clearTimeout(silence);
      silence = setTimeout(giveUp, SILENCE);
    }

    function close() {
      clearTimeout(silence);
      if (source) {
        source.close();
        source = null;
      }
    }

    function giveUp() {
      close();
      document.removeEventListener('visibilitychange', look);
      poll();
    }

    function open() {
      failures = 0;
      source = new EventSource(location.href);
      isAlive();
      source.onerror = function () {
        failures++;
        if (source.readyState === EventSource.CLOSED || failures > 3) {
          giveUp();
        } else if (failures > 1) {
          say('The connection was lost; it is tried again.');
        }
      };
      source.addEventListener('heartbeat', function () {
        isAlive();
        failures = 0;
        say('Live.');
      });
      source.addEventListener('trouble', function (event) {
        isAlive();
        say(event.data + '; what you see may be old.');
      });
      for (const part of document.querySelectorAll('[data-live]')) {
        source.addEventListener(part.dataset.live, function (event) {
          isAlive();
          renew(part.dataset.live, event.data);
        });
      }
    }

    function look() {
      if (document.hidden) {
        close();
      } else if (!source) {
        open();
      }
    }

    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', close);
    look();
  }

  forgetWhatWasSaid();
  beginTheme();
  showOwnZone(document);
  beginQuestions();
  if (document.body.dataset.isLive === 'true') {
    if (window.EventSource) {
      listen();
    } else {
      setTimeout(poll, POLL);
    }
  }
})();
