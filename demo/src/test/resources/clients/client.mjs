// Sends one POST with one key through a client that retries, and prints what came of it.
const [client, base, path, key] = process.argv.slice(2);
const body = JSON.stringify({ amount: 1250 });
const headers = { 'Idempotency-Key': key, 'Content-Type': 'application/json' };
const again = [409, 503];

const clients = {
  async stripe() {
    const { default: Stripe } = await import('stripe');
    const { hostname, port } = new URL(base);
    const stripe = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: 4 });
    const made = path.endsWith('customers')
      ? await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: key })
      : await stripe.paymentIntents.create({ amount: 1250, currency: 'eur' }, { idempotencyKey: key });
    return { status: made.lastResponse.statusCode, headers: made.lastResponse.headers, body: { id: made.id } };
  },
  async 'axios-retry'() {
    const { default: axios } = await import('axios');
    const { default: axiosRetry } = await import('axios-retry');
    axiosRetry(axios, {
      retries: 4,
      retryDelay: (count, error) => axiosRetry.exponentialDelay(count, error, 200),
      retryCondition: e => axiosRetry.isNetworkError(e) || again.includes(e.response?.status),
    });
    const answer = await axios.post(base + path, body, { headers });
    return { status: answer.status, headers: answer.headers, body: answer.data };
  },
  async got() {
    const { got } = await import('got');
    const answer = await got.post(base + path, {
      body, headers, retry: { limit: 4, methods: ['POST'], statusCodes: again, backoffLimit: 300 },
    });
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) };
  },
  async undici() {
    const { Agent, RetryAgent, request } = await import('undici');
    const dispatcher = new RetryAgent(new Agent(), {
      methods: ['POST'], statusCodes: again, maxRetries: 4, minTimeout: 200,
    });
    const answer = await request(base + path, { method: 'POST', body, headers, dispatcher });
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.json() };
  },
};

const { status, headers: got, body: answer } = await clients[client]();
console.log(`${status} ${got['idempotent-replayed']} ${answer.id}`);
process.exit(0);
