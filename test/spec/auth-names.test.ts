/** User names that could be taken for another's. */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'

const { url, admin, gateway } = await startGateway(t)
const { knex } = gateway.service('database')
const password = 'seven lamps under water'
const join = (username: string) =>
  management(url).call('POST', '/api/user/register', { username, password })

t.test(
  '[AUTH-2] a name of mixed scripts, or one that looks like another’s, is refused',
  async (t) => {
    t.equal((await join('pocket')).status, 200)
    for (const [name, status] of [
      ['рocket', 400], // Its first letter is Cyrillic.
      ['росkет', 400],
      ['ρocket', 400], // A Greek one.
      ['p0cket', 409],
      ['POCKET', 409],
      ['ｐｏｃｋｅｔ', 409], // By width alone.
      ['po\u200bcket', 400],
      ['\u202epocket', 400],
      ['расе', 200],
      ['pace', 409], // Looks like the one of Cyrillic alone before it.
      ['小红ann', 200],
      ['たろうtaro', 200],
      ['иван', 200],
      ['rené', 200],
    ] as const) {
      t.equal((await join(name)).status, status, name)
    }
  },
)

t.test(
  '[AUTH-2] a name is changed by the same rule, and one from before stays as it is',
  async (t) => {
    const old = await admin.must('POST', '/api/user/', { username: 'lantern', password })
    await admin.must('POST', '/api/user/', { username: 'harbour', password })
    const own = management(url)
    await own.login('harbour', password)
    t.match(await own.call('PUT', '/api/user/self', { username: '1antern' }), { status: 409 })
    t.match(await own.call('PUT', '/api/user/self', { username: 'hаrbour' }), { status: 400 })
    t.equal(
      (await own.call('PUT', '/api/user/self', { username: 'harb0ur' })).status,
      200,
      'its own',
    )
    await knex('users').where('id', old.id).update({ username: 'lаntern', name_skeleton: null })
    const kept = { id: old.id, username: 'lаntern', remark: 'kept' }
    t.equal((await admin.call('PUT', '/api/user/', kept)).status, 200)
  },
)
