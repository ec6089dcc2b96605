'use strict';

/* Texts of records reach the page as text nodes only. */
const $ = id => document.getElementById(id);
const base = location.pathname.replace(/\/ui\/?$/, '');
const LONGEST_PAGE = 1000;
const MOST = 10000;
const PACE_MILLIS = 100;
const REFRESH_MILLIS = 15000;
const BARS = 40;
const SVG = 'http://www.w3.org/2000/svg';

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const time = text => text ? new Date(text).toLocaleString() : '';
const plural = (count, noun) => count + ' ' + noun + (count === 1 ? '' : 's');
const pause = millis => new Promise(resolve => setTimeout(resolve, millis));

function ago(date) {
  const minutes = Math.max(0, Math.round((Date.now() - date) / 60000));
  if (minutes < 60) return minutes + ' min ago';
  return minutes < 2880 ? Math.round(minutes / 60) + ' h ago' : Math.round(minutes / 1440) + ' days ago';
}

/* The endpoint. */

class Refused extends Error {
  constructor(status, text) { super(text); this.status = status; }
}

async function call(path, body) {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) };
  let response;
  try {
    response = await fetch(base + path, body ? post : { headers: { Accept: 'application/json' } });
  } catch (e) { throw new Refused(0, 'The application cannot be reached.'); }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const text = answer.detail || answer._embedded?.errors?.[0]?.message || answer.message || response.statusText;
  throw new Refused(response.status, response.status + ': ' + text);
}

let actor = null;

async function page(query) {
  const answer = await call('?' + new URLSearchParams(Object.entries(query).filter(([, value]) => value)));
  actor = answer.actor || null;
  for (const label of document.querySelectorAll('.actor')) {
    label.hidden = !!actor;
    label.querySelector('input').disabled = !!actor;
  }
  for (const record of answer.records) suggest(record.operation);
  return answer;
}

/* All pages, the longest claimed first, up to the most that a person settles at once. */
async function all(query, wanted = () => true) {
  const found = [];
  let next = null;
  do {
    const answer = await page({ ...query, limit: LONGEST_PAGE, next });
    found.push(...answer.records.filter(wanted));
    next = answer.next;
  } while (next && found.length < MOST);
  return { found, complete: !next };
}

const operations = new Set();
function suggest(operation) {
  if (!operation || operations.has(operation)) return;
  operations.add(operation);
  $('operations').append(element('option', { value: operation }));
}

function tell(place, error) {
  place.hidden = !error;
  place.textContent = error ? error.message : '';
}

/* Runs what a form asks for, and shows beside it why that was refused. */
function handled(form, place, action) {
  form.onsubmit = async event => {
    event.preventDefault();
    const button = form.querySelector('button.primary, button');
    button.disabled = true;
    tell(place, null);
    try { await action(new FormData(form)); } catch (error) { tell(place, error); } finally { button.disabled = false; }
  };
}

/* What is in doubt, and since when. */

const doubtfulSince = record => new Date(record.settledAt || record.leaseUntil);

async function doubts() {
  try {
    const { found, complete } = await all({ state: 'in-doubt' });
    const since = found.map(doubtfulSince).sort((a, b) => a - b);
    const text = since.length === 0 ? 'Nothing is in doubt.'
      : (complete ? '' : 'More than ') + plural(since.length, 'record') + ' in doubt, the oldest since ' + since[0].toLocaleString() + ' (' + ago(since[0]) + ').';
    if ($('doubts').textContent !== text) $('doubts').textContent = text; // read aloud when it changes
    $('plot').replaceChildren(...plot(since, text));
  } catch (error) { tell($('problem'), error); }
}

function plot(since, text) {
  if (!since.length) return [];
  const from = since[0].getTime();
  const width = Math.max(60000, Date.now() - from + 1);
  const bars = new Array(BARS).fill(0);
  for (const date of since) bars[Math.min(BARS - 1, Math.max(0, Math.floor((date - from) / width * BARS)))]++;
  const highest = Math.max(...bars);
  const svg = shape('svg', { viewBox: '0 0 ' + BARS * 10 + ' 60', preserveAspectRatio: 'none', role: 'img', 'aria-label': text });
  bars.forEach((count, i) => {
    if (!count) return;
    const height = Math.max(3, 56 * count / highest);
    const title = shape('title', {}, count + ' since ' + new Date(from + i * width / BARS).toLocaleString());
    svg.append(shape('rect', { x: i * 10 + 1, y: 58 - height, width: 8, height }, title));
  });
  svg.append(shape('line', { x1: 0, y1: 59, x2: BARS * 10, y2: 59 }));
  const axis = [new Date(from).toLocaleString(), 'highest bar: ' + highest, 'now'].map(label => element('span', {}, label));
  return [svg, element('div', { className: 'axis' }, ...axis)];
}

/* The list. */

let shown = { next: null, count: 0 };

function row(record) {
  const open = element('button', { type: 'button', title: record.id, onclick: () => show(record.id) }, record.id.slice(0, 8) + '…');
  open.setAttribute('aria-label', 'Open record ' + record.id.slice(0, 8));
  const known = record.reason || record.outcome || '';
  const cells = [['Claimed', time(record.claimedAt)], ['Operation', record.operation], ['State', record.state.replace('-', ' ')], ['Attempt', record.attempt], ['Known', known]]
    .map(([label, text]) => {
      const cell = element('td', {}, String(text ?? ''));
      if (text !== '') cell.dataset.label = label;
      if (label === 'State') cell.className = record.state;
      return cell;
    });
  return element('tr', {}, ...cells, element('td', {}, open));
}

async function list(next) {
  const query = { state: $('state').value, operation: $('operation').value.trim(), olderThan: $('older').value, limit: 50, next };
  const answer = await page(query);
  const rows = answer.records.map(row);
  if (next) $('records').tBodies[0].append(...rows); else $('records').tBodies[0].replaceChildren(...rows);
  shown = { next: answer.next, count: (next ? shown.count : 0) + rows.length };
  $('records').hidden = shown.count === 0;
  $('more').hidden = !answer.next;
  $('many').hidden = query.state !== 'in-doubt';
  $('listed').textContent = shown.count === 0 ? 'No record is ' + query.state.replace('-', ' ') + (query.operation || query.olderThan ? ' that matches' : '')
    : plural(shown.count, 'record') + ' ' + query.state.replace('-', ' ') + (answer.next ? ', and more' : '');
}

async function refresh() {
  tell($('problem'), null);
  try { await list(null); } catch (error) { tell($('problem'), error); }
  await doubts();
}

handled($('filter'), $('problem'), () => list(null));
$('more').onclick = () => list(shown.next).catch(error => tell($('problem'), error));

handled($('search'), $('problem'), async () => {
  const key = $('key').value.trim();
  const operation = $('of').value.trim();
  if (/^[0-9a-f]{8,64}$/.test(key)) {
    const found = await call('/' + key).catch(error => { if (error.status === 404 && operation) return null; throw error; });
    if (found?.records) {
      $('records').hidden = false;
      $('more').hidden = true;
      $('records').tBodies[0].replaceChildren(...found.records.map(row));
      $('listed').textContent = plural(found.records.length, 'open record') + ' with these digits';
      return;
    }
    if (found) return present(found);
  }
  if (!operation) throw new Refused(400, 'A key is looked up by its operation: fill it in.');
  present(await call('/find', { operation, key, caller: $('caller').value.trim() || null }));
});

/* One record. */

let current = null;

async function show(id) {
  try { present(await call('/' + id)); } catch (error) { tell($('problem'), error); }
}

const FACTS = [['state', 'State'], ['reason', 'Why'], ['outcome', 'Outcome'], ['claimedAt', 'Claimed'], ['leaseUntil', 'Lease until'], ['settledAt', 'Settled'],
  ['expiresAt', 'Forgotten'], ['attempt', 'Attempt'], ['fence', 'Fence'], ['arguments', 'Arguments'], ['result', 'Result'], ['id', 'Id']];

function fact(name, value) {
  if (name.endsWith('At') || name === 'leaseUntil') return time(value);
  if (typeof value === 'object') return element('pre', {}, JSON.stringify(value, null, 2));
  return name === 'state' ? value.replace('-', ' ') : String(value);
}

function present(record) {
  const again = $('one').open && current?.id === record.id;
  current = record;
  suggest(record.operation);
  $('one-title').textContent = (record.operation || 'Record') + ', ' + record.id.slice(0, 8) + '…';
  $('facts').replaceChildren(...FACTS.filter(([name]) => record[name] != null && record[name] !== '')
    .flatMap(([name, label]) => [element('dt', {}, name === 'settledAt' && record.state === 'in-doubt' ? 'In doubt since' : label), element('dd', { className: name === 'state' ? record.state : '' }, fact(name, record[name]))]));
  $('history').replaceChildren(...(record.audit.length ? record.audit.map(entry) : ['No operator has decided about it.']));
  const [problem, done] = $('one').querySelectorAll('.problem, .done');
  tell(problem, null);
  $('settle').hidden = record.state !== 'in-doubt';
  $('erasure').hidden = ['absent', 'in-progress'].includes(record.state);
  if (again) return;
  done.hidden = true;
  $('erasure').open = false;
  $('result-label').hidden = true;
  for (const form of [$('settle'), $('erase')]) {
    form.reset();
    remembered(form);
  }
  if (!$('one').open) $('one').showModal();
}

function entry(note) {
  return element('li', {}, time(note.at) + ': ' + note.actor + (note.outcome === 'erased' ? ' erased its data' : ' settled it as ' + note.outcome) + ' (fence ' + note.fence + '): ' + note.reason);
}

const remembered = form => { form.elements.actor.value = sessionStorage.getItem('actor') || ''; };

/* What is sent besides the decision itself. */
function signed(form) {
  const name = actor || form.get('actor').trim();
  if (!actor) sessionStorage.setItem('actor', name);
  return { actor: name, reason: form.get('reason').trim() };
}

$('settle').onchange = () => { $('result-label').hidden = $('settle').elements.outcome.value !== 'completed'; };

handled($('settle'), $('one').querySelector('.problem'), async form => {
  const outcome = form.get('outcome');
  const written = outcome === 'completed' ? $('result').value.trim() : '';
  try { if (written) JSON.parse(written); } catch (e) { throw new Refused(400, 'The result is no JSON.'); }
  const decision = JSON.stringify({ fence: current.fence, outcome, ...signed(form) });
  // the result as it was typed: a JavaScript number would make 12.50 another one
  present(await call('/' + current.id, written ? decision.slice(0, -1) + ',"result":' + written + '}' : decision));
  await decided(outcome === 'absent' ? 'Settled: the next call with this key runs.' : 'Settled: calls with this key are answered and do not run.');
});

handled($('erase'), $('one').querySelector('.problem'), async form => {
  present(await call('/' + current.id + '/erase', signed(form)));
  $('erasure').open = false;
  await decided('Erased: calls with this key are refused and do not run.');
});

async function decided(text) {
  const done = $('one').querySelector('.done');
  done.textContent = text;
  done.hidden = false;
  $('one').scrollTop = 0;
  $('one').querySelector('[data-close]').focus();
  await refresh();
}

/* Many. */

let chosen = [];
let stopped = false;
const problem = $('bulk').querySelector('.problem');

$('many').onclick = () => {
  $('which').elements.operation.value = $('operation').value;
  uncount();
  tell(problem, null);
  $('settle-many').reset();
  remembered($('settle-many'));
  $('bulk').showModal();
};

function uncount() {
  chosen = [];
  $('counted').textContent = '';
  $('settle-many').hidden = true;
}
$('which').oninput = uncount;

handled($('which'), problem, async form => {
  uncount();
  const from = form.get('from') ? new Date(form.get('from')) : null;
  const until = form.get('until') ? new Date(form.get('until')) : null;
  const within = record => (!from || new Date(record.claimedAt) >= from) && (!until || new Date(record.claimedAt) <= until);
  const { found, complete } = await all({ state: 'in-doubt', operation: form.get('operation').trim() }, within);
  chosen = found;
  const by = [...new Set(found.map(record => record.operation))].sort();
  $('counted').textContent = found.length === 0 ? 'No record in doubt matches.'
    : plural(found.length, 'record') + ' in doubt' + (complete ? '' : ', and more that are not counted') + ', claimed from ' + time(found[0].claimedAt) + ' until ' + time(found.at(-1).claimedAt) + ': ' + by.join(', ');
  $('settle-many').hidden = found.length === 0;
  $('go').textContent = 'Settle ' + plural(found.length, 'record');
});

handled($('settle-many'), problem, async form => {
  const decision = { outcome: form.get('outcome'), ...signed(form) };
  const records = chosen;
  const counts = { settled: 0, changed: 0 };
  stopped = false;
  $('stop').hidden = $('progress').hidden = false;
  $('progress').max = records.length;
  try {
    for (const [i, record] of records.entries()) {
      if (stopped) break;
      $('progress').value = i;
      $('counted').textContent = counts.settled + ' of ' + plural(records.length, 'record') + ' settled';
      await one(record, decision, counts);
      await pause(PACE_MILLIS);
    }
  } finally {
    $('stop').hidden = $('progress').hidden = true;
    uncount();
    $('counted').textContent = plural(counts.settled, 'record') + ' settled' + (counts.changed ? ', ' + counts.changed + ' had changed and were left alone' : '')
      + (stopped ? '. Stopped: the others are as they were.' : '.');
    await refresh();
  }
});

/* A record that changed meanwhile is left alone; anything else ends the run. */
async function one(record, decision, counts) {
  try {
    await call('/' + record.id, { fence: record.fence, ...decision });
    counts.settled++;
  } catch (error) {
    if (error.status !== 409) throw error;
    counts.changed++;
  }
}

$('stop').onclick = () => { stopped = true; };
$('bulk').onclose = () => { stopped = true; };
for (const button of document.querySelectorAll('[data-close]')) button.onclick = () => button.closest('dialog').close();
$('one').addEventListener('close', () => history.replaceState(null, '', location.pathname));

/* #<id> opens a record: links and logs lead to it. */
function linked() {
  const id = location.hash.slice(1);
  if (/^[0-9a-f]{8,64}$/.test(id)) show(id);
}
window.onhashchange = linked;
setInterval(() => { if (!document.hidden) doubts(); }, REFRESH_MILLIS);
refresh().then(linked);
