// Runs in every document before its own scripts. `__distrl` is all that the device talks to.
(settings => {
  if (window.__distrl) return;
  const START = settings.start ?? Date.UTC(2025, 0, 15, 9, 0, 0);
  const QUIET = '*,*::before,*::after{caret-color:transparent!important;scroll-behavior:auto!important}';
  const STILL = '*,*::before,*::after{transition:none!important;animation-duration:0s!important;animation-delay:0s!important}';
  const MOST_TIMERS = 5000;
  const later = window.setTimeout, drawn = window.requestAnimationFrame;
  let now = START;

  // ---- time passes when the device says so ------------------------------------------------
  const timers = new Map();
  let nextTimer = 1;
  const addTimer = (run, delay, again) => {
    timers.set(nextTimer, { id: nextTimer, at: now + delay, run, again });
    return nextTimer++;
  };
  const calling = (what, given) =>
    typeof what === 'function' ? () => what.apply(window, given) : () => (0, eval)(String(what));
  const milliseconds = value => Math.max(0, Number(value) || 0);

  if (settings.frozen) {
    const RealDate = Date;
    window.Date = new Proxy(RealDate, {
      construct: (made, given, target) => Reflect.construct(made, given.length ? given : [now], target),
      apply: () => new RealDate(now).toString(),
      get: (made, key) => (key === 'now' ? () => now : Reflect.get(made, key)),
    });
    performance.now = () => now - START;
    window.setTimeout = (what, delay, ...given) => addTimer(calling(what, given), milliseconds(delay), 0);
    window.setInterval = (what, delay, ...given) => {
      const every = Math.max(1, milliseconds(delay));
      return addTimer(calling(what, given), every, every);
    };
    window.clearTimeout = window.clearInterval = id => void timers.delete(id);
    window.requestAnimationFrame = what => addTimer(() => what(performance.now()), 16, 0);
    window.cancelAnimationFrame = id => void timers.delete(id);
    window.requestIdleCallback = what =>
      addTimer(() => what({ didTimeout: false, timeRemaining: () => 10 }), 1, 0);
    window.cancelIdleCallback = window.cancelAnimationFrame;
  }

  const earliest = end => {
    let found = null;
    for (const timer of timers.values())
      if (timer.at <= end && (!found || timer.at < found.at)) found = timer;
    return found;
  };
  const advance = async span => {
    if (!settings.frozen) return;
    const end = now + span;
    for (let count = 0, timer; count < MOST_TIMERS && (timer = earliest(end)); count++) {
      now = Math.max(now, timer.at);
      if (timer.again) timer.at = now + timer.again;
      else timers.delete(timer.id);
      try { timer.run(); } catch (error) { console.error(error); }
      await null; // promises that it kept go first, as they would
    }
    now = end;
    for (const frame of innerFrames()) await frame.__distrl.advance(span);
  };
  const innerFrames = () => {
    const found = [];
    for (let index = 0; index < window.frames.length; index++)
      try { if (window.frames[index].__distrl) found.push(window.frames[index]); } catch { /* another origin */ }
    return found;
  };

  // ---- chance follows from the seed ---------------------------------------------------------
  let state = null;
  Math.random = () => {
    if (state === null) state = (window.__distrlSeed ?? 0) >>> 0;
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  // ---- who listens to what: a page does not tell --------------------------------------------
  const PRESSES = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'touchstart', 'dblclick']);
  const DRAGS = new Set(['mousedown', 'pointerdown', 'touchstart', 'dragstart']);
  const pressable = new WeakSet(), draggable = new WeakSet();
  // What is told to a page only with the next frame that is drawn.
  const WITH_A_FRAME = new Set(['scroll', 'scrollend', 'resize', 'animationstart', 'animationend',
    'transitionend']);
  let waits = false;
  for (const name of ['IntersectionObserver', 'ResizeObserver'])
    window[name] = new Proxy(window[name], {
      construct: (made, given, target) => { waits = true; return Reflect.construct(made, given, target); },
    });
  const framed = () => waits || Boolean(window.onscroll || document.onscroll) ||
    document.querySelector('[loading=lazy]') !== null || innerFrames().some(frame => frame.__distrl.framed());
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, ...more) {
    if (WITH_A_FRAME.has(kind)) waits = true;
    if (this instanceof Element) {
      if (PRESSES.has(kind)) pressable.add(this);
      if (DRAGS.has(kind)) draggable.add(this);
    }
    return listen.call(this, kind, ...more);
  };

  // ---- a list opens inside the page: the browser's own would be outside of it ---------------
  let sheet = null;
  const closeSheet = () => { if (sheet) sheet.remove(); sheet = null; };
  const openSheet = list => {
    closeSheet();
    const size = parseFloat(getComputedStyle(list).fontSize) || 12;
    sheet = document.createElement('div');
    sheet.style.cssText = 'all:initial;position:fixed;inset:0;z-index:2147483647;overflow:auto;' +
      `background:#fff;font:${size}px sans-serif;display:block`;
    Array.from(list.options).forEach((option, index) => {
      const row = document.createElement('div');
      row.textContent = option.label;
      row.__distrlOption = [list, index];
      row.style.cssText = `all:initial;display:block;font:${size}px sans-serif;` +
        `padding:${size / 4}px;color:${option.disabled ? '#999' : '#000'};` +
        `background:${index === list.selectedIndex ? '#cde' : '#fff'};border-bottom:1px solid #ddd`;
      sheet.appendChild(row);
    });
    document.body.appendChild(sheet);
  };
  const dropDown = node =>
    node instanceof HTMLSelectElement && !node.multiple && node.size <= 1 && !node.disabled;
  listen.call(window, 'mousedown', event => {
    if (sheet && sheet.contains(event.target)) { event.preventDefault(); event.stopPropagation(); return; }
    closeSheet();
    if (dropDown(event.target)) {
      event.preventDefault();
      event.target.focus();
      openSheet(event.target);
    }
  }, true);
  listen.call(window, 'click', event => {
    if (!sheet || !sheet.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    const chosen = event.target.__distrlOption;
    closeSheet();
    if (!chosen || chosen[0].options[chosen[1]].disabled) return;
    chosen[0].selectedIndex = chosen[1];
    for (const kind of ['input', 'change']) chosen[0].dispatchEvent(new Event(kind, { bubbles: true }));
  }, true);

  // ---- what is on the page ------------------------------------------------------------------
  const FIELDS = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'time',
    'month', 'week', 'datetime-local', 'color']);
  const SHAPES = new Set(['rect', 'circle', 'ellipse', 'polygon', 'polyline', 'path', 'line', 'image']);
  const PICTURES = new Set(['IMG', 'CANVAS', 'VIDEO']);
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'OPTION', 'BR', 'HR']);
  const ARIA = { button: 'button', link: 'button', checkbox: 'checkbox', radio: 'radio', switch: 'switch',
    slider: 'slider', tab: 'tab', menuitem: 'item', option: 'item', listitem: 'item', img: 'image',
    textbox: 'field', searchbox: 'field', combobox: 'field' };
  const words = text => (text || '').replace(/\s+/g, ' ').trim().slice(0, 300);

  const roleOf = node => {
    const tag = node.tagName, named = ARIA[node.getAttribute('role')];
    if (tag === 'INPUT') {
      if (node.type === 'checkbox' || node.type === 'radio') return node.type;
      if (node.type === 'range') return 'slider';
      return FIELDS.has(node.type) ? 'field' : 'button';
    }
    if (tag === 'TEXTAREA' || node.isContentEditable) return 'field';
    if (named) return named;
    if (tag === 'BUTTON' || tag === 'SELECT' || tag === 'SUMMARY' || (tag === 'A' && node.hasAttribute('href')))
      return 'button';
    return null;
  };
  const labelOf = node => {
    const said = node.getAttribute('aria-label') || node.placeholder;
    if (said) return words(said);
    if (node.labels && node.labels.length) return words(node.labels[0].textContent);
    const before = node.previousElementSibling;
    if (before && before.tagName === 'LABEL' && !before.htmlFor) return words(before.textContent);
    return words(node.title || node.getAttribute('alt'));
  };
  const ownText = node => {
    let said = '';
    for (const child of node.childNodes) if (child.nodeType === 3) said += child.data + ' ';
    return words(said);
  };
  const paints = (node, style) => {
    if (style.backgroundImage !== 'none') return true;
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(style.backgroundColor)) return true;
    return parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none';
  };
  const largest = rects => {
    let best = null;
    for (const rect of rects)
      if (!best || rect.width * rect.height > best.width * best.height) best = rect;
    return best;
  };
  const placeOf = node => {
    if (node.nodeType === 1) return largest(node.getClientRects());
    const range = document.createRange();
    range.selectNodeContents(node);
    return largest(range.getClientRects());
  };
  const cut = (rect, clip) => {
    const left = Math.max(rect.left, clip[0]), top = Math.max(rect.top, clip[1]);
    const right = Math.min(rect.right, clip[2]), bottom = Math.min(rect.bottom, clip[3]);
    return right - left >= 1 && bottom - top >= 1 ? [left, top, right, bottom] : null;
  };
  // What lies under something else cannot be touched, so it is not there.
  const reached = (node, place) => {
    const hit = document.elementFromPoint((place[0] + place[2]) / 2, (place[1] + place[3]) / 2);
    return hit !== null && (hit === node || node.contains(hit) || hit.contains(node) ||
      (node.labels && Array.from(node.labels).some(label => label.contains(hit))));
  };

  // Where something can be touched: the middle of all of it, or else of a half or a quarter of it.
  const partsOf = ([left, top, right, bottom]) => {
    const x = (left + right) / 2, y = (top + bottom) / 2;
    return [[left, top, right, bottom], [left, top, x, bottom], [x, top, right, bottom], [left, top, right, y],
      [left, y, right, bottom], [left, top, x, y], [x, top, right, y], [left, y, x, bottom], [x, y, right, bottom]];
  };

  const list = (ignored, origin, size, found) => {
    const [width, height] = size;
    const put = (node, rect, clip, role, text, description, more) => {
      const all = rect && cut(rect, clip);
      const place = all && partsOf(all).find(part => reached(node, part));
      if (!place) return;
      found.push([role, text, description, place[0] + origin[0], place[1] + origin[1],
        place[2] + origin[0], place[3] + origin[1], ...(more || [true, null, false, false])]);
    };
    const control = (node, role, clip) => {
      const focused = document.activeElement === node;
      const disabled = node.disabled || node.getAttribute('aria-disabled') === 'true';
      const told = node.getAttribute('aria-checked') ?? node.getAttribute('aria-selected');
      let checked = told === null ? null : told === 'true';
      let text = '', description = labelOf(node);
      if (role === 'checkbox' || role === 'radio') {
        if (node.tagName === 'INPUT') checked = node.checked;
        [text, description] = [description || words(node.textContent), ''];
      } else if (role === 'field') {
        text = node.value === undefined ? words(node.textContent) : words(node.value);
        if (node.type === 'password') text = '\u2022'.repeat(text.length);
      } else if (role === 'slider') {
        text = words(node.value ?? node.getAttribute('aria-valuenow'));
      } else if (node.tagName === 'SELECT') {
        text = node.selectedIndex < 0 ? '' : words(node.options[node.selectedIndex].label);
      } else {
        text = words(node.tagName === 'INPUT' ? node.value : node.innerText ?? node.textContent);
      }
      put(node, placeOf(node), clip, role, text, description,
        [!disabled, checked, focused, role === 'field' && !disabled && !node.readOnly]);
    };
    const leaf = (node, style, clip) => {
      const heard = pressable.has(node) || node.hasAttribute('onclick');
      const text = ownText(node);
      if (node.ownerSVGElement && node.tagName !== 'text') {
        if (SHAPES.has(node.tagName)) put(node, node.getBoundingClientRect(), clip, 'image', '', labelOf(node));
      } else if (PICTURES.has(node.tagName)) {
        put(node, placeOf(node), clip, 'image', '', labelOf(node));
      } else if (text) {
        const only = node.childElementCount === 0;
        const role = heard ? 'button' : node.tagName === 'LI' ? 'item' : 'text';
        const said = only ? node : Array.from(node.childNodes).find(c => c.nodeType === 3 && c.data.trim());
        put(node, placeOf(said), clip, role, text, labelOf(node));
      } else if (node.childElementCount === 0 && (heard || paints(node, style))) {
        put(node, placeOf(node), clip, 'image', '', labelOf(node));
      }
    };
    const walk = (node, clip) => {
      if (SKIPPED.has(node.tagName) || (ignored && node.matches(ignored))) return;
      const style = getComputedStyle(node);
      if (style.display === 'none') return;
      const seen = style.visibility === 'visible' && parseFloat(style.opacity) > 0.05;
      if (node.__distrlOption) {
        const [owner, index] = node.__distrlOption;
        put(node, placeOf(node), clip, 'item', words(node.textContent), '',
          [!owner.options[index].disabled, index === owner.selectedIndex, false, false]);
        return;
      }
      if (node.tagName === 'IFRAME') {
        const rect = node.getBoundingClientRect();
        try { const inside = node.contentWindow;
          inside.__distrl.list(ignored, [origin[0] + rect.left, origin[1] + rect.top],
            [inside.innerWidth, inside.innerHeight], found); }
        catch { put(node, rect, clip, 'image', '', labelOf(node)); }
        return;
      }
      const role = seen ? roleOf(node) : null;
      if (role) {
        control(node, role, clip);
        if (node.tagName === 'SELECT' && !dropDown(node))
          for (const option of node.options)
            put(option, placeOf(option), clip, 'item', words(option.label), '',
              [!option.disabled, option.selected, false, false]);
        return;
      }
      if (node.tagName === 'LABEL' && node.control && /^(checkbox|radio)$/.test(node.control.type)) {
        for (const child of node.children) walk(child, clip);
        return; // its words are the name of its box
      }
      if (seen) leaf(node, style, clip);
      let inner = clip;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const rect = node.getBoundingClientRect();
        if (node !== document.body && node !== document.documentElement) {
          inner = cut(rect, clip);
          if (!inner) return;
        }
      }
      for (const child of node.children) walk(child, inner);
    };
    if (document.body) walk(document.body, [0, 0, width, height]);
  };

  const look = (ignored, size, probe) => {
    const found = [];
    list(ignored, [0, 0], size, found);
    const active = document.activeElement;
    const typing = active && roleOf(active) === 'field' && !active.disabled && !active.readOnly;
    return JSON.stringify({
      width: size[0], height: size[1], elements: found,
      keyboard: Boolean(typing), probe: probe(), app: document.title || location.host || location.protocol,
    });
  };

  // The next document may be on its way, or pictures that an action has put into this one: what is
  // half there is nothing to look at. Each is waited for once.
  const awaited = new WeakSet();
  const arrival = (target, ...kinds) => new Promise(done => {
    for (const kind of kinds) listen.call(target, kind, done, { once: true });
    later.call(window, done, settings.patience);
  });
  const ready = async () => {
    if (document.readyState !== 'complete') await arrival(window, 'load');
    const missing = Array.from(document.images).filter(image =>
      !image.complete && image.loading !== 'lazy' && !awaited.has(image));
    for (const image of missing) awaited.add(image);
    await Promise.all(missing.map(image => arrival(image, 'load', 'error')));
  };

  // Two, for the first may have begun already; a page out of sight may have none.
  const frame = () => new Promise(done => {
    drawn.call(window, () => drawn.call(window, done));
    later.call(window, done, 1000);
  });

  // Observers are told in a task of its own, after the frame that they observed.
  const told = () => new Promise(done => later.call(window, done, 0));

  const until = async holds => {
    for (let left = settings.patience; !holds() && left > 0; left -= 20) {
      await new Promise(done => later.call(window, done, 20));
      await advance(20);
    }
  };

  // ---- what input events cannot say -----------------------------------------------------------
  const scrolls = (node, dx, dy) => {
    const style = getComputedStyle(node), root = node === document.scrollingElement;
    const free = value => root ? value !== 'hidden' : value === 'auto' || value === 'scroll';
    const room = (at, size, view, by) => by > 0 ? at + view < size - 1 : by < 0 && at > 0;
    return (free(style.overflowY) && room(node.scrollTop, node.scrollHeight, node.clientHeight, dy)) ||
      (free(style.overflowX) && room(node.scrollLeft, node.scrollWidth, node.clientWidth, dx));
  };
  // True when a finger that moves here scrolls; what follows a finger by itself is dragged instead.
  const scroll = (x, y, dx, dy) => {
    for (let node = document.elementFromPoint(x, y); node; node = node.parentElement) {
      if (draggable.has(node) || node.draggable || node.type === 'range') return false;
      if (scrolls(node, -dx, -dy)) { node.scrollBy(-dx, -dy); return true; }
    }
    return false;
  };
  // Fields that take no keys one by one: a date, a time, a colour.
  const fill = text => {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement) || field.disabled || field.readOnly) return false;
    if (!['date', 'time', 'month', 'week', 'datetime-local', 'color'].includes(field.type)) return false;
    const day = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
    const hour = /^(\d{1,2}):(\d{2})\s*([AP])M$/i.exec(text.trim());
    const two = number => String(number).padStart(2, '0');
    if (day) text = `${day[3]}-${two(day[1])}-${two(day[2])}`;
    if (hour) text = `${two(hour[1] % 12 + (/p/i.test(hour[3]) ? 12 : 0))}:${hour[2]}`;
    field.value = text;
    for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
    return true;
  };
  const back = async first => {
    const entry = window.navigation?.currentEntry;
    if (!entry || entry.index <= first) return;
    const patience = new Promise(done => later.call(window, done, settings.patience));
    await Promise.race([navigation.back().committed, patience]).catch(() => { /* the page stays */ });
  };

  // A worker would answer requests in the site's place, from one episode to the next.
  if (navigator.serviceWorker)
    navigator.serviceWorker.register = () => Promise.reject(new DOMException('blocked', 'SecurityError'));

  const dress = new CSSStyleSheet();
  const gone = settings.hidden ? `${settings.hidden}{display:none!important}` : '';
  dress.replaceSync((settings.frozen ? QUIET + STILL : QUIET) + gone);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, dress];
  for (const name of ['alert', 'confirm', 'prompt', 'print'])
    window[name] = () => (name === 'confirm' ? true : name === 'prompt' ? '' : undefined);

  window.__distrl = { ready, until, advance, list, look, frame, framed, told, scroll, fill, back };
})
