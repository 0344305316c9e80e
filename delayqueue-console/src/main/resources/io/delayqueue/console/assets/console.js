// Enhances the pages. They also work without this script.
(function () {
  'use strict';

  const root = document.documentElement;

  function remembered(name) {
    try {
      return localStorage.getItem('delayqueue-' + name);
    } catch (ignored) {
      return null;
    }
  }

  function remember(name, value) {
    try {
      localStorage.setItem('delayqueue-' + name, value);
    } catch (ignored) {
      // Without storage, the choice lasts for this page.
    }
  }

  // --- theme

  function beginTheme() {
    const button = document.getElementById('theme');
    button.hidden = false;
    button.addEventListener('click', function () {
      const theme = root.dataset.theme;
      const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
      root.dataset.theme = isDark ? 'light' : 'dark';
      remember('theme', root.dataset.theme);
    });
  }

  // --- times, in the time zone of the browser or UTC

  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  let zone = remembered('zone') === 'UTC' ? 'UTC' : ownZone;

  function format(options) {
    return new Intl.DateTimeFormat('en-GB', Object.assign({ timeZone: zone, hourCycle: 'h23' }, options));
  }

  function day(at) {
    return format({ year: 'numeric', month: 'numeric', day: 'numeric' }).format(at);
  }

  function year(at) {
    return format({ year: 'numeric' }).format(at);
  }

  function shortTime(at) {
    return format({ hour: '2-digit', minute: '2-digit' }).format(at);
  }

  /** Formats a time: without the date if it is today's, and without the year if it is the current one. */
  function moment(at) {
    const now = new Date();
    if (day(at) === day(now)) {
      return format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at);
    }
    const date = { day: 'numeric', month: 'short' };
    if (year(at) !== year(now)) {
      date.year = 'numeric';
    }
    return format(date).format(at) + ' ' + shortTime(at);
  }

  function full(at) {
    return format({ dateStyle: 'full', timeStyle: 'medium' }).format(at) + ' ' + zone
      + ' (' + at.toISOString().replace('T', ' ').replace(/\.\d+Z/, ' UTC') + ')';
  }

  function span(part) {
    const from = new Date(part.dataset.from);
    const until = new Date(part.dataset.until);
    const isSameDay = day(from) === day(until);
    return moment(from) + ' to ' + (isSameDay ? format({ timeStyle: 'medium' }).format(until) : moment(until));
  }

  function showTimes(part) {
    for (const time of part.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      if (!isNaN(at)) {
        time.textContent = time.dataset.short === undefined ? moment(at) : shortTime(at);
        time.title = full(at);
      }
    }
    for (const option of part.querySelectorAll('option[data-clock]')) {
      option.textContent = 'until ' + moment(new Date(option.dataset.clock)) + ' (as now)';
    }
    for (const tick of part.querySelectorAll('text[data-at]')) {
      const at = new Date(tick.dataset.at);
      tick.textContent = day(at) !== day(new Date()) || tick.dataset.fine !== undefined ? moment(at) : shortTime(at);
    }
    for (const column of part.querySelectorAll('[data-from][data-until]')) {
      const words = column.dataset.words + ', ' + span(column);
      column.querySelector('title').textContent = words;
      if (column.hasAttribute('aria-label')) {
        column.setAttribute('aria-label', words);
      }
    }
  }

  /** Formats a time as people type it. */
  function typed(at) {
    const text = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
    const millis = at.getMilliseconds();
    return millis > 0 ? text + '.' + String(millis).padStart(3, '0') : text.replace(/:00$/, '');
  }

  /** Shows times that an address filled into fields as people type them, in the zone of the page. Leaves other input. */
  function showTypedTimes() {
    for (const field of document.querySelectorAll('input:is([name=from], [name=until], [name=to]):not([type=hidden])')) {
      const iso = field.value === field.dataset.shown ? field.dataset.iso : field.value;
      const isTyped = field.value !== field.defaultValue;
      if (!isTyped && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(iso)) {
        const at = new Date(iso);
        // When summer time ends, the clock shows an hour twice.
        const isTwice = [-1, 1].some(hours => typed(new Date(at.getTime() + hours * 3600000)) === typed(at));
        field.dataset.iso = iso;
        field.dataset.shown = isTwice ? iso : typed(at);
        field.value = field.defaultValue = field.dataset.shown;
      }
    }
  }

  function showZone() {
    document.getElementById('zone').textContent = zone;
    for (const button of document.querySelectorAll('#zones button')) {
      button.setAttribute('aria-pressed', String((button.dataset.zone === 'UTC') === (zone === 'UTC')));
    }
    for (const form of document.querySelectorAll('form')) {
      if (form.querySelector('[name=to], [name=from], [name=until]')) {
        let field = form.querySelector('input[name=zone]');
        if (!field) {
          field = document.createElement('input');
          field.type = 'hidden';
          field.name = 'zone';
          form.append(field);
        }
        field.value = zone;
      }
    }
    showTypedTimes();
    showTimes(document);
  }

  function chooseZone(name) {
    zone = name === 'UTC' ? 'UTC' : ownZone;
    remember('zone', name);
    showZone();
  }

  function beginZones() {
    const zones = document.getElementById('zones');
    zones.hidden = ownZone === 'UTC';
    zones.querySelector('[data-zone=local]').textContent = ownZone.replace(/^.*\//, '').replaceAll('_', ' ');
    zones.addEventListener('click', function (event) {
      if (event.target.dataset.zone) {
        chooseZone(event.target.dataset.zone);
      }
    });
  }

  // --- confirmation of changes that cannot be undone

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

  // --- copying

  function showCopyButtons(part) {
    for (const button of part.querySelectorAll('button[data-copy]')) {
      button.hidden = false;
    }
  }

  /** Copies text. Also works on plain HTTP, where browsers offer no clipboard to scripts. */
  function copy(text) {
    if (navigator.clipboard) {
      return navigator.clipboard.writeText(text);
    }
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'unseen';
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
    return Promise.resolve();
  }

  function beginCopying() {
    document.addEventListener('click', function (event) {
      const button = event.target.closest('button[data-copy]');
      if (button) {
        const label = button.firstChild;
        copy(document.getElementById(button.dataset.copy).textContent).then(
          () => { label.textContent = 'Copied'; },
          () => { label.textContent = 'Not copied'; }
        ).then(() => setTimeout(() => { label.textContent = 'Copy'; }, 2000));
      }
    });
  }

  /** Elements that may be wider than the page. */
  const SCROLLED = '.scroll, .chart-box, .seg, nav';

  /** Scrolls charts that are wider than the page to the current time. */
  function scrollCharts() {
    for (const box of document.querySelectorAll('[data-scroll]')) {
      box.scrollLeft = (box.scrollWidth - box.clientWidth) * box.dataset.scroll;
    }
  }

  /** Scrolls tabs that are wider than the page to the current one. */
  function scrollTabs() {
    for (const tab of document.querySelectorAll('nav [aria-current]')) {
      const nav = tab.parentElement;
      nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2;
    }
  }

  // --- keyboard access to charts: one tab stop for each chart, and arrow keys within it

  function setTabStops(part) {
    for (const chart of part.querySelectorAll('svg[data-roving]')) {
      chart.querySelectorAll('a').forEach(function (link, i) {
        link.setAttribute('tabindex', i === 0 ? '0' : '-1');
      });
    }
  }

  function moveInChart(event) {
    const link = event.target.closest('svg[data-roving] a');
    if (!link) {
      return;
    }
    const links = Array.from(link.ownerSVGElement.querySelectorAll('a'));
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -links.length, End: links.length };
    const step = steps[event.key];
    if (step) {
      const to = links[Math.max(0, Math.min(links.length - 1, links.indexOf(link) + step))];
      link.setAttribute('tabindex', '-1');
      to.setAttribute('tabindex', '0');
      to.focus();
      event.preventDefault();
    }
  }

  // --- shortcuts

  const PAGES = { q: 'home', f: 'failures', i: 'instances', b: 'operations', a: 'activity' };

  function beginShortcuts() {
    document.getElementById('search-key').hidden = false;
    document.getElementById('shortcut-hint').hidden = false;
    let isGoing = false;
    document.addEventListener('keydown', function (event) {
      moveInChart(event);
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea')) {
        return;
      }
      const page = isGoing ? PAGES[event.key] : null;
      isGoing = event.key === 'g';
      if (page) {
        location.href = document.body.dataset[page];
      } else if (event.key === '/') {
        event.preventDefault();
        document.getElementById('search-id').focus();
      } else if (event.key === 'z') {
        chooseZone(zone === 'UTC' ? 'local' : 'UTC');
      } else if (event.key === '?') {
        document.getElementById('shortcuts').showModal();
      }
    });
  }

  // --- search for queues by name

  const named = document.getElementById('name');

  function filterByName() {
    if (named) {
      const part = named.value.trim().toLowerCase();
      for (const row of document.querySelectorAll('tr[data-queue]')) {
        row.hidden = !row.dataset.queue.toLowerCase().includes(part);
      }
    }
  }

  // --- selection of several tasks

  function beginChoosing() {
    const list = document.querySelector('form.choose');
    if (!list) {
      return;
    }
    const all = document.querySelector('#choose-all input');
    const boxes = Array.from(list.querySelectorAll('input[name^=chosen-]'));
    const count = function () {
      const chosen = boxes.filter(box => box.checked).length;
      all.checked = chosen === boxes.length;
      all.indeterminate = chosen > 0 && !all.checked;
      document.getElementById('chosen-count').textContent = chosen + ' selected';
      list.querySelectorAll('.actionbar button').forEach(button => { button.disabled = chosen === 0; });
    };
    all.parentElement.hidden = false;
    all.addEventListener('change', function () {
      boxes.forEach(box => { box.checked = all.checked; });
      count();
    });
    list.addEventListener('change', count);
    count();
  }

  // --- form of a bulk action

  /** Hides the fields that the chosen action does not use, but not those that are filled in. */
  function showFieldsOfAction() {
    const action = document.querySelector('select#action');
    for (const field of action ? action.form.querySelectorAll('[data-only], [data-not]') : []) {
      const input = field.querySelector('input');
      const isUsed = input.type === 'checkbox' ? input.checked : input.value !== '';
      const only = field.dataset.only;
      field.hidden = !isUsed
        && (only ? !only.split(' ').includes(action.value) : field.dataset.not === action.value);
    }
  }

  function beginBulk() {
    const action = document.querySelector('select#action');
    if (action) {
      action.form.addEventListener('change', showFieldsOfAction);
      addEventListener('pageshow', showFieldsOfAction);
      showFieldsOfAction();
    }
  }

  // --- live parts

  const status = document.getElementById('live-state');
  let renewedAt = new Date();

  /** Removes the banner of a change from the address, so that a reload does not show it again. */
  function forgetWhatWasSaid() {
    const address = new URL(location.href);
    for (const name of ['done', 'was', 'is', 'which', 'paused']) {
      address.searchParams.delete(name);
    }
    if (address.href !== location.href) {
      history.replaceState(history.state, '', address);
    }
  }

  function say(text, isStale) {
    if (status.textContent !== text) {
      status.textContent = text;
    }
    status.classList.toggle('stale', isStale);
    document.body.classList.toggle('stale-parts', isStale);
  }

  function stale(why) {
    say(why + ' Data from ' + format({ timeStyle: 'medium' }).format(renewedAt) + '.', true);
  }

  function region(name) {
    return document.querySelector('[data-live="' + CSS.escape(name) + '"]');
  }

  /** Returns whether the user is typing or has typed in this part, or has selected text. */
  function isInUse(part) {
    const at = document.activeElement;
    const selection = getSelection();
    return (part.contains(at) && at.matches('input:not([type=hidden]), select'))
      || Array.from(part.querySelectorAll('input:not([type=hidden])'))
        .some(input => input.value !== input.defaultValue || input.checked !== input.defaultChecked)
      || Array.from(part.querySelectorAll('select')).some(select => select.selectedIndex > 0)
      || (!selection.isCollapsed && selection.containsNode(part, true));
  }

  /** Returns the table of queues if the pointer or the focus is in it, so that its rows must stay where they are. */
  function pointedAt() {
    const table = region('queues-table');
    return table && (table.matches(':hover') || table.querySelector(':focus')) ? table : null;
  }

  /** Keeps queues in the order in which the page showed them first. A new queue comes last. */
  function keepOrder(part, queues) {
    const rows = Array.from(part.querySelectorAll('[data-queue]'));
    const place = row => (queues.indexOf(row.dataset.queue) + queues.length + 1) % (queues.length + 1);
    if (queues.length > 0) {
      rows.sort((a, b) => place(a) - place(b)).forEach(row => row.parentElement.append(row));
    }
  }

  /** Replaces a part unless it is in use. Keeps the focus, the open elements and what is scrolled. */
  function renew(part, html) {
    // Hidden fields contain tokens, which are different each time.
    const seen = html.replace(/<input type="hidden"[^>]*>/g, '');
    if (part.dataset.seen === seen || isInUse(part)) {
      return;
    }
    part.dataset.seen = seen;
    const focused = part.contains(document.activeElement)
      ? Array.from(part.querySelectorAll('a, button, summary')).indexOf(document.activeElement)
      : -1;
    const opened = Array.from(part.querySelectorAll('details'), details => details.open);
    const lefts = Array.from(part.querySelectorAll(SCROLLED), box => box.scrollLeft);
    const queues = Array.from(part.querySelectorAll('[data-queue]'), row => row.dataset.queue);
    const still = pointedAt();
    const top = still && still.getBoundingClientRect().top;
    part.innerHTML = html;
    keepOrder(part, queues);
    part.querySelectorAll('details').forEach(function (details, i) {
      details.open = opened[i] === true;
    });
    begin(part);
    part.querySelectorAll(SCROLLED).forEach(function (box, i) {
      box.scrollLeft = lefts[i];
    });
    if (still) {
      scrollBy({ top: still.getBoundingClientRect().top - top, behavior: 'instant' });
    }
    if (focused >= 0) {
      const same = part.querySelectorAll('a, button, summary')[focused];
      if (same) {
        same.focus({ preventScroll: true });
      }
    }
  }

  function begin(part) {
    showZone();
    showCopyButtons(part);
    setTabStops(part);
    filterByName();
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
        renewedAt = new Date();
        document.title = page.title;
        if (page.body.dataset.isLive !== 'true') {
          say('', false);
          return;
        }
        say('Updating every ' + pollMillis() / 1000 + ' s', false);
      } else if (answer.redirected || answer.status === 401 || answer.status === 403) {
        stale('You are signed out. Reload the page.');
      } else {
        stale('Not updating: server error.');
      }
    } catch (ignored) {
      stale('Connection lost, reconnecting…');
    }
    pollLater(pollMillis());
  }

  /** Returns the pause before the next poll. A running operation is watched more closely. */
  function pollMillis() {
    return document.querySelector('[data-live=operation-actions] form[action$="/stop"]') ? 1000 : 5000;
  }

  /** Polls again after a pause, but not while the page is hidden. */
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
  beginZones();
  begin(document);
  scrollCharts();
  scrollTabs();
  beginQuestions();
  beginCopying();
  beginChoosing();
  beginBulk();
  beginShortcuts();
  if (named) {
    named.addEventListener('input', filterByName);
  }
  if (document.body.dataset.isLive === 'true') {
    pollLater(pollMillis());
  }
})();
