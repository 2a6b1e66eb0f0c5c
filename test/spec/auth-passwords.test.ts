/** Which passwords somebody may choose, wherever one is chosen: setup, joining, changing, resetting, and an admin's form. */
import t from 'tap'
import { bootGateway, startGateway } from '../kit/gateway.js'
import { management, root, setupCodeOf } from '../kit/management.js'

const gate = await startGateway(t)
const { admin, gateway } = gate
const strong = 'seven lamps under water'

/** What a stranger tries first. */
const weak = [
  'password1',
  'P@ssw0rd',
  'qwertyuiop',
  'iloveyou',
  'AAAAAAAAAAAAAAAA',
  '12345678901234567890',
  'ann-lee-2026',
  'waybill-waybill',
]

function refusedOn(answer: { readonly status: number; readonly body: object }) {
  return { status: answer.status, field: 'field' in answer.body ? answer.body.field : undefined }
}
const refused = { status: 400, field: 'password' }

t.test('[AUTH-4] a password that is easy to guess is refused wherever one is chosen', async (t) => {
  const stranger = management(gate.url)
  const ann = { username: 'ann-lee', password: strong }
  await admin.must('POST', '/api/user/', ann)
  const { items } = await admin.must('GET', '/api/user/?keyword=ann-lee')
  const own = management(gate.url)
  t.equal((await own.login(ann.username, strong)).status, 200)
  for (const password of weak) {
    const chosen = { username: 'ann-lee-2', password }
    const made = await admin.call('POST', '/api/user/', chosen)
    t.same(refusedOn(made), refused, `made by an admin: ${password}`)
    const joined = await stranger.call('POST', '/api/user/register', chosen)
    t.same(refusedOn(joined), refused, `joining: ${password}`)
    const given = await admin.call('PUT', '/api/user/', { id: items[0].id, password })
    t.same(refusedOn(given), refused, `given by an admin: ${password}`)
    const change = { password, original_password: strong }
    const changed = await own.call('PUT', '/api/user/self', change)
    t.same(refusedOn(changed), refused, `changed: ${password}`)
  }
  t.equal((await management(gate.url).login(ann.username, strong)).status, 200, 'as it was')
})

t.test('[AUTH-9] a link that resets a password outlives one that is too weak', async (t) => {
  const form = { email: 'nobody@example.com', token: 'x'.repeat(43) }
  const reset = (password: string) =>
    management(gate.url).call('POST', '/api/user/reset', { ...form, password })
  t.same(refusedOn(await reset('password1')), refused, 'judged before the link is used up')
  t.match(await reset(strong), { status: 400, body: { code: 'mail_code_invalid' } })
})

t.test('[AUTH-4] the first password of a gateway is held to the same rule', async (t) => {
  const bare = await bootGateway(t)
  const code = setupCodeOf(bare.address)
  const form = { username: 'root', password: 'root2026', confirmPassword: 'root2026', code }
  const anyone = management(bare.address)
  t.same(refusedOn(await anyone.call('POST', '/api/setup', form)), refused)
  const good = { ...form, password: root.password, confirmPassword: root.password }
  t.equal((await anyone.call('POST', '/api/setup', good)).status, 200)
})

t.test('[AUTH-4] a password may hold any characters, 8 to 128 of them', async (t) => {
  let count = 0
  const outcome = async (password: string) => {
    const username = `lengths${++count}`
    const { status } = await admin.call('POST', '/api/user/', { username, password })
    return status === 200 ? (await management(gate.url).login(username, password)).status : status
  }
  const words = 'seven lamps under water and a lantern of red paper, '
  t.equal(await outcome('灯塔下面有七盏纸灯笼'), 200)
  t.equal(await outcome('xK3pQz9m'), 200, 'drawn by chance, without signs')
  t.equal(
    await outcome(`${words}${'字'.repeat(128 - words.length)}`),
    200,
    'four bytes each or not',
  )
  t.equal(await outcome(`${words}${'字'.repeat(129 - words.length)}`), 400)
  t.equal(await outcome('xK3pQz9'), 400, 'seven')
  t.equal(await outcome('ßßßß'), 400, 'eight bytes are not eight characters')
})

t.test('[AUTH-4] judging the longest password takes no longer than hashing one', async (t) => {
  const { hash } = gateway.service('identity')
  await t.rejects(hash('password1'), { code: 'invalid_field' }, 'the dictionaries are loaded')
  for (const unit of ['p@$$w0rd', '4@8({[<3', 'aaab', '1990', 'qwerty']) {
    const before = process.cpuUsage()
    await hash(unit.repeat(60).slice(0, 128)).catch(() => {})
    t.ok(process.cpuUsage(before).user < 1_000_000, unit)
  }
})
