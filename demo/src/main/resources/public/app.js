'use strict';

const $ = id => document.getElementById(id);
const sent = new Map();
let orders = Number(sessionStorage.getItem('orders') || 0);

/* What a customer is told about an answer: the colour, and a sentence. */
const SENTENCES = {
  'in-progress': ['refused', 'Told to wait: the first request is still being worked on'],
  'key-reused': ['refused', 'Refused: this key already stands for another amount'],
  'outcome-unknown': ['unknown', 'Not charged again: nobody knows yet what became of the first request'],
  'key-missing': ['refused', 'Refused: no idempotency key'],
  'key-invalid': ['refused', 'Refused: this is no valid idempotency key'],
  'store-unavailable': ['refused', 'Refused, nothing was charged: the memory of keys cannot be reached'],
};

function judge(answer) {
  if (answer.replayed) return ['replay', 'The first answer again; the card was not charged a second time'];
  if (SENTENCES[answer.code]) return SENTENCES[answer.code];
  if (answer.status === 201) return ['ok', 'Charged'];
  if (answer.status === 402) return ['refused', 'Declined before anything happened; the key is free again'];
  if (answer.status === 504) return ['unknown', 'The provider\'s answer was lost. Whether it charged is not known'];
  if (answer.status === 0) return ['unknown', 'The service did not answer'];
  return ['refused', 'Refused'];
}

async function pay({ amount = $('amount').value, simulate } = {}) {
  const key = $('key').value;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  if (simulate) headers['X-Simulate'] = simulate;
  sent.set(key, (sent.get(key) || 0) + 1);
  show();
  const started = performance.now();
  const answer = { status: 0, key, order: $('order-id').value, amount: amount.trim().replace(',', '.'), replayed: false, code: '', text: '' };
  try {
    // the amount as it was typed: a JavaScript number would make 12.500 the same as 12.50
    const body = '{"orderId":' + JSON.stringify(answer.order) + ',"amount":' + answer.amount + ',"currency":"EUR"}';
    const response = await fetch('payments', { method: 'POST', headers, body });
    answer.status = response.status;
    answer.replayed = response.headers.get('Idempotent-Replayed') === 'true';
    answer.text = await response.text();
    answer.code = JSON.parse(answer.text).code || '';
  } catch (e) { answer.text = answer.text || String(e); }
  answer.millis = Math.round(performance.now() - started);
  return answer;
}

function line(kind, text, meta, detail) {
  const item = document.createElement('li');
  item.className = kind;
  const head = document.createElement('b');
  head.textContent = text;
  const facts = document.createElement('span');
  facts.className = 'meta';
  for (const fact of meta) facts.append(Object.assign(document.createElement('span'), { textContent: fact }));
  item.append(head, facts);
  if (detail) {
    const more = document.createElement('details');
    more.append(Object.assign(document.createElement('summary'), { textContent: 'The answer' }),
      Object.assign(document.createElement('pre'), { textContent: pretty(detail) }));
    item.append(more);
  }
  $('log').querySelector('.empty')?.remove();
  $('log').prepend(item);
  return item;
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch (e) { return text; }
}

const now = () => new Date().toLocaleTimeString();

async function one(options) {
  const waiting = line('running', 'Sent, waiting for the answer', ['POST /payments', now()]);
  const answer = await pay(options);
  waiting.remove();
  const [kind, text] = judge(answer);
  if (kind === 'unknown') await remember(answer);
  line(kind, text, ['POST /payments → ' + (answer.status || 'no answer'), answer.amount + ' EUR', 'key ' + answer.key.slice(0, 8) + '…', answer.millis + ' ms', now()], answer.text);
  await refresh();
  return answer;
}

async function fifty() {
  const waiting = line('running', 'Fifty requests at once', [now()]);
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay()));
  waiting.remove();
  const groups = new Map();
  for (const answer of answers) {
    const [kind, text] = judge(answer);
    const group = groups.get(text) || { kind, count: 0, status: answer.status };
    group.count++;
    groups.set(text, group);
  }
  for (const [text, group] of groups) line(group.kind, group.count + ' × ' + text, ['POST /payments → ' + group.status, now()]);
  await refresh();
}

const DO = {
  pay: () => one(),
  fifty: () => fresh().then(fifty),
  other: () => one({ amount: (Number($('amount').value.replace(',', '.')) + 1).toFixed(2) }),
  decline: () => fresh().then(() => one({ simulate: 'decline' })),
  lost: () => fresh().then(() => one({ simulate: 'lost' })),
  slow: async () => {
    await fresh();
    const first = one({ simulate: 'slow=3s' });
    await pause(700);
    await one();
    await first;
  },
  kill: async () => {
    await fresh();
    const first = one({ simulate: 'slow=20s' });
    await pause(1000);
    line('unknown', 'The service is killed while it charges', ['POST /kill', now()]);
    await fetch('kill', { method: 'POST' }).catch(() => {});
    await first.catch(() => {});
    const waiting = line('running', 'Gone. Start it again (mvn -q mn:run); this page goes on by itself', [now()]);
    while (!(await post('idempotency/find', { operation: 'charge-payment', key: $('key').value, caller: null }))) await pause(1000);
    waiting.remove();
    await remember({ key: $('key').value, order: $('order-id').value, amount: $('amount').value });
    line('ok', 'The service is back, and remembers the key. Pay again: for 30 seconds it says that the first one may still run, then that nobody knows', [now()]);
    await refresh();
  },
};

const pause = millis => new Promise(later => setTimeout(later, millis));

async function charged(order) {
  try {
    return await (await fetch('provider/charges?orderId=' + encodeURIComponent(order))).json();
  } catch (e) { return null; }
}

/* The provider's own list for this order. */
async function refresh() {
  const charges = await charged($('order-id').value);
  if (!charges) return; // the service is away
  const rows = charges.map(charge => {
    const row = document.createElement('tr');
    for (const text of [charge.id.slice(0, 8) + '…', Number(charge.amount).toFixed(2) + ' ' + (charge.currency || ''), charge.idempotencyKey ? charge.idempotencyKey.slice(0, 8) + '…' : 'none'])
      row.append(Object.assign(document.createElement('td'), { textContent: text }));
    return row;
  });
  $('charges').replaceChildren(...rows);
  if (!rows.length) $('charges').innerHTML = '<tr><td colspan="3">none</td></tr>';
}

const STATES = {
  ABSENT: 'nothing yet', IN_PROGRESS: 'working on it', COMPLETED: 'the answer', FAILED: 'the failure', IN_DOUBT: 'nobody knows',
};

/* The service tells what changes: what it remembers of the key, and what the provider did. */
let watching;
function watch() {
  watching?.close();
  watching = new EventSource('watch?key=' + encodeURIComponent($('key').value) + '&orderId=' + encodeURIComponent($('order-id').value));
  watching.onmessage = event => {
    const { state, charges } = JSON.parse(event.data);
    $('state').textContent = STATES[state] || state;
    $('state').dataset.state = state;
    const count = charges === 1 ? '1 time' : charges + ' times';
    if ($('count').textContent !== count) refresh();
    $('count').textContent = count;
    $('count').dataset.double = charges > 1;
  };
  watching.onerror = () => { $('state').textContent = 'not reachable'; $('state').dataset.state = ''; };
}

async function post(path, body) {
  try {
    const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    return response.ok ? await response.json() : null;
  } catch (e) { return null; }
}

/* The operator's side: what is in doubt, and how it is settled. */
let asked = 0;
async function doubts() {
  const mine = ++asked;
  let records = [];
  try {
    const response = await fetch('idempotency?state=in-doubt&limit=50');
    if (response.ok) records = (await response.json()).records;
  } catch (e) { return; }
  if (mine !== asked) return; // an answer from before: a newer one is on its way
  $('doubts').hidden = !records.length;
  $('doubts').textContent = records.length;
  if (!records.length) {
    $('doubt-list').innerHTML = '<li class="empty">None.</li>';
    return;
  }
  $('doubt-list').replaceChildren(...records.map(doubt));
}

/* Which order a record is of: the service keeps only hashes, this page knows what it sent. */
const sentOrders = new Map(JSON.parse(sessionStorage.getItem('sent-orders') || '[]'));
async function remember({ key, order, amount }) {
  const record = await post('idempotency/find', { operation: 'charge-payment', key, caller: null });
  if (!record) return;
  sentOrders.set(record.id, { order, amount });
  sessionStorage.setItem('sent-orders', JSON.stringify([...sentOrders]));
}

function element(tag, text, properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

function doubt(record) {
  const known = sentOrders.get(record.id);
  const item = document.createElement('li');
  const fact = element('p', known ? 'Asking the provider…' : 'Paid from another page: look at all charges of the provider.', { className: 'fact' });
  const label = element('label', 'Reason, for the audit trail ');
  const reason = element('input', '', { value: 'looked at the provider\'s list', required: true });
  label.append(reason);
  const row = element('div', '', { className: 'row' });
  const again = settle(record, reason, 'Nothing was charged: it may be paid again', () => ({ outcome: 'absent' }));
  const done = settle(record, reason, 'It was charged: that is the answer', () => ({ outcome: 'completed', result: receipt }));
  row.append(done, again);
  item.append(element('b', known ? 'Order ' + known.order + ', ' + known.amount + ' EUR' : record.operation + ', record ' + record.id.slice(0, 8)),
    element('p', 'Since ' + new Date(record.claimedAt).toLocaleTimeString() + ': ' + (record.reason || 'the owner vanished'), { className: 'hint' }), fact, label, row);
  let receipt;
  if (known) charged(known.order).then(charges => {
    fact.textContent = !charges ? 'The provider cannot be reached.' : 'The provider says: charged ' + (charges.length === 1 ? '1 time.' : charges.length + ' times.');
    if (charges) (charges.length ? done : again).className = 'primary';
    if (charges?.length) receipt = { status: 201, body: { id: charges[0].id, orderId: known.order, amount: Number(known.amount), currency: 'EUR', status: 'CHARGED' } };
  });
  return item;
}

function settle(record, reason, label, decision) {
  const button = element('button', label, { className: 'quiet' });
  button.onclick = async () => {
    if (!reason.reportValidity()) return;
    const settled = await post('idempotency/' + record.id, { fence: record.fence, actor: 'demo-operator', reason: reason.value, ...decision() });
    $('settled').hidden = false;
    $('settled').textContent = !settled ? 'Not settled: the record has changed in the meantime.'
      : decision().outcome === 'absent' ? 'Settled: whoever pays again with that key is charged.'
      : 'Settled: whoever pays again with that key gets this answer, and is not charged.';
    await doubts();
    await refresh();
  };
  return button;
}

function show() { $('sent').textContent = sent.get($('key').value) || 0; }

function fresh() {
  sessionStorage.setItem('orders', ++orders);
  $('order-id').value = 'o-' + Date.now().toString(36).slice(-4) + orders;
  $('key').value = crypto.randomUUID ? crypto.randomUUID() : 'key-' + Date.now() + '-' + Math.random().toString(16).slice(2);
  show();
  watch();
  return refresh();
}

function select(name) {
  for (const tab of ['customer', 'operator']) {
    const on = tab === name;
    $('tab-' + tab).setAttribute('aria-selected', on);
    $('tab-' + tab).tabIndex = on ? 0 : -1;
    $(tab).hidden = !on;
  }
  $('tab-' + name).focus();
  if (name === 'operator') doubts();
}

$('actions').onclick = event => {
  const button = event.target.closest('button');
  if (button && $('order').reportValidity()) DO[button.dataset.do]().then(doubts);
};
$('order').onsubmit = event => { event.preventDefault(); DO.pay().then(doubts); };
$('new').onclick = fresh;
for (const id of ['key', 'order-id']) $(id).onchange = () => { show(); watch(); refresh(); };
for (const tab of ['customer', 'operator']) {
  $('tab-' + tab).onclick = () => select(tab);
  $('tab-' + tab).onkeydown = event => {
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') select(tab === 'customer' ? 'operator' : 'customer');
  };
}
fresh();
doubts();
