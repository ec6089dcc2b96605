'use strict';

const $ = id => document.getElementById(id);
const LONGEST_LOG = 20;
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
  while ($('log').children.length > LONGEST_LOG) $('log').lastChild.remove();
  $('log').scrollTop = 0;
  $('latest').className = 'latest ' + kind; // where the log is out of sight
  $('latest').textContent = text;
  $('latest').hidden = false;
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
    await claimed(first);
    await one();
    await first;
  },
  kill: async () => {
    await fresh();
    const first = one({ simulate: 'slow=20s' });
    await claimed(first);
    line('unknown', 'The service is killed while it charges', ['POST /kill', now()]);
    await fetch('kill', { method: 'POST' }).catch(() => {});
    await first.catch(() => {});
    const waiting = line('running', 'Gone. Start it again: mvn -q mn:run (first Ctrl-C, if the old run has not ended). This page goes on by itself', [now()]);
    let record;
    while (!(record = await remembered())) await pause(1000);
    waiting.remove();
    line('ok', 'The service is back, and remembers the key. Pay again: ' + (record.state === 'in-progress'
      ? 'until ' + new Date(record.leaseUntil).toLocaleTimeString() + ' it says that the first request may still run, then that nobody knows'
      : 'it says that nobody knows what became of the first request'), [now()]);
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
  if (!rows.length) {
    rows.push(document.createElement('tr'));
    rows[0].append(Object.assign(document.createElement('td'), { colSpan: 3, textContent: 'none' }));
  }
  $('charges').replaceChildren(...rows);
}

const STATES = {
  ABSENT: 'nothing yet', IN_PROGRESS: 'working on it', COMPLETED: 'the answer', FAILED: 'the failure', IN_DOUBT: 'nobody knows',
};

/* The service tells what changes: what it remembers of the key, and what the provider did. */
let watching;
function watch() {
  watching?.close();
  $('state').dataset.state = '';
  $('unknown').hidden = true;
  watching = new EventSource('watch?key=' + encodeURIComponent($('key').value) + '&orderId=' + encodeURIComponent($('order-id').value));
  watching.onmessage = event => {
    const { state, charges } = JSON.parse(event.data);
    $('state').textContent = STATES[state] || state;
    if ($('state').dataset.state !== state) decide(state).then(doubts);
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
    const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) });
    return response.ok ? await response.json() : null;
  } catch (e) { return null; }
}

/* What the service remembers of the key in the form. */
const remembered = () => post('idempotency/find', { operation: 'charge-payment', key: $('key').value, caller: null });

/* Waits until the service tells that the key is claimed, however slow it is, or the request has ended. */
async function claimed(request) {
  let ended = false;
  const end = () => { ended = true; };
  request.then(end, end);
  while (!ended && ['', 'ABSENT'].includes($('state').dataset.state)) await pause(100);
}

/* A key in doubt: what the provider's list says of the order, and what to decide by it. */
let asked = 0;
async function decide(state) {
  const mine = ++asked;
  const record = state === 'IN_DOUBT' ? await remembered() : null;
  const charges = record && await charged($('order-id').value);
  if (mine !== asked) return; // a newer state is shown by now
  $('unknown').hidden = record?.state !== 'in-doubt';
  if ($('unknown').hidden) return;
  const times = charges?.length;
  $('fact').textContent = !charges ? 'The provider cannot be reached.' : 'The provider says: charged ' + (times === 1 ? '1 time.' : times + ' times.');
  $('record').href = 'idempotency/ui#' + record.id;
  $('done').hidden = !times;
  $('free').hidden = !charges || times > 0;
  $('done').onclick = () => settle(record, receipt(charges[0]), 'Settled: who pays again with this key gets this answer, and is not charged');
  $('free').onclick = () => settle(record, '"outcome":"absent"', 'Settled: who pays again with this key is charged');
}

/* The answer that was lost, with the amount as the provider has it. */
function receipt(charge) {
  const { id, orderId, amount, currency } = charge;
  const payment = JSON.stringify({ id, orderId, currency, status: 'CHARGED' }).slice(0, -1) + ',"amount":' + Number(amount).toFixed(2) + '}';
  return '"outcome":"completed","result":{"status":201,"body":' + payment + '}';
}

async function settle(record, decision, text) {
  const signed = JSON.stringify({ fence: record.fence, actor: 'demo-operator', reason: 'looked at the provider\'s list' });
  const settled = await post('idempotency/' + record.id, signed.slice(0, -1) + ',' + decision + '}');
  line(settled ? 'ok' : 'refused', settled ? text : 'Not settled: the record has changed in the meantime', ['POST /idempotency/' + record.id.slice(0, 8) + '…', now()], settled && JSON.stringify(settled));
  $('unknown').hidden = true;
  await doubts();
}

/* How many records wait for the operator. */
async function doubts() {
  try {
    const response = await fetch('idempotency?state=in-doubt&limit=100');
    const { records, next } = await response.json();
    $('doubts').hidden = !records.length;
    $('doubts').textContent = records.length + (next ? '+' : '');
  } catch (e) { /* the service is away */ }
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

$('actions').onclick = event => {
  const button = event.target.closest('button[type=button]');
  if (button && $('order').reportValidity()) DO[button.dataset.do]();
};
$('order').onsubmit = event => { event.preventDefault(); DO.pay(); };
$('new').onclick = fresh;
for (const id of ['key', 'order-id']) $(id).onchange = () => { show(); watch(); refresh(); };
fresh();
doubts();
