/** Shops of an operator's own: an access token of root moves balances with nobody at hand, up to a limit a day. */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'

const gateway = await startGateway(t)
const { admin, url } = gateway

interface Wish {
  readonly name: string
  readonly scopes?: readonly string[]
  readonly daily_credit?: number
}

async function tokenOf({ scopes = ['users:write', 'users:read'], ...wish }: Wish) {
  const headers = await admin.prove('access_token')
  return admin.call('POST', '/api/user/access_tokens', { scopes, ...wish }, headers)
}
const shop = (await tokenOf({ name: 'shop', daily_credit: 1000 })).body.data
const other = (await tokenOf({ name: 'other' })).body.data

async function move(token: string, body: object, key?: string) {
  const response = await fetch(`${url}/api/user/manage`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ action: 'add_quota', mode: 'add', remark: 'order 1', ...body }),
  })
  return { status: response.status, body: await response.json() }
}

async function customer(username: string): Promise<number> {
  const form = { username, password: 'a long password here' }
  return (await admin.must('POST', '/api/user/', form)).id
}
const quotaOf = async (id: number) => (await admin.must('GET', `/api/user/${id}`)).quota

t.test(
  '[AUTH-5] a token without the right needs a session and its proof, as anybody does',
  async (t) => {
    const id = await customer('ada')
    t.match(await move(other.token, { id, value: 1 }, 'a'), {
      status: 403,
      body: { code: 'session_required' },
    })
    t.equal(await quotaOf(id), 0)
  },
)

t.test(
  '[BILL-2] a movement by a token is named by an Idempotency-Key, and counts once',
  async (t) => {
    const id = await customer('bea')
    t.match(await move(shop.token, { id, value: 5 }), {
      ...{ status: 400, body: { code: 'invalid_field', field: 'Idempotency-Key' } },
    })
    const repeats = await Promise.all(
      Array.from({ length: 8 }, () => move(shop.token, { id, value: 100 }, 'order-1')),
    )
    t.same(new Set(repeats.map(({ status }) => status)), new Set([200]))
    t.equal(await quotaOf(id), 100)
    t.match(await move(shop.token, { id, value: 101 }, 'order-1'), { status: 422 })
    t.match(await move(shop.token, { id, mode: 'subtract', value: 30 }, 'order-2'), { status: 200 })
    t.equal(await quotaOf(id), 70)
  },
)

t.test(
  '[BILL-2] of many movements at once no more goes through than the limit of the day',
  async (t) => {
    const id = await customer('cleo')
    const moved = await Promise.all(
      Array.from({ length: 20 }, (_, at) => move(shop.token, { id, value: 100 }, `race-${at}`)),
    )
    const done = moved.filter(({ status }) => status === 200).length
    // 130 were moved before.
    t.equal(done, 8)
    t.equal(await quotaOf(id), 800)
    t.match(await move(shop.token, { id, value: 71 }, 'over'), {
      ...{ status: 403, body: { code: 'daily_credit_used' } },
    })
    t.match(await move(shop.token, { id, value: 70 }, 'rest'), { status: 200 })
    const first = moved.findIndex(({ status }) => status === 200)
    t.match(
      await move(shop.token, { id, value: 100 }, `race-${first}`),
      { status: 200 },
      'a repeat is no movement',
    )
    t.equal(await quotaOf(id), 870)
  },
)

t.test(
  '[AUTH-2] the right is root’s, for tokens that can use it, and ends with the token',
  async (t) => {
    t.match(await tokenOf({ name: 'useless', scopes: ['logs:read'], daily_credit: 5 }), {
      ...{ status: 400, body: { field: 'daily_credit' } },
    })
    t.match(await tokenOf({ name: 'none', daily_credit: 0 }), { status: 400 })
    const listed = await admin.must('GET', '/api/user/access_tokens')
    t.match(
      listed.find(({ name }: { name: string }) => name === 'shop'),
      { daily_credit: 1000 },
    )
    await admin.must('DELETE', `/api/user/access_tokens/${shop.id}`)
    const id = await customer('dora')
    t.match(await move(shop.token, { id, value: 1 }, 'gone'), { status: 401 })
    const { items } = await admin.must('GET', '/api/audit/?action=users.manage&page_size=100')
    t.ok(items.some(({ via }: { via: string }) => via.includes('shop') || via === 'accessToken'))
  },
)
