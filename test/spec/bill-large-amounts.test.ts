/** Amounts that are larger than a number is exact for: nowhere are they off by one. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'

const much = 2n ** 53n + 1n
const digits = '9007199254740993'

t.test(
  '[BILL-1] a balance beyond 2^53 is reported to the last unit, wherever it is read',
  async (t) => {
    const { admin, gateway, url } = await scriptedGateway(t)
    const { knex } = gateway.service('database')
    const { id: tokenId, key } = await admin.token({ remain_quota: 5, unlimited_quota: false })
    const { rows: before } = await knex.raw('SELECT posted FROM accounts WHERE owner_id = 1')
    await knex.raw('UPDATE accounts SET posted = ?, used = ? WHERE id > 0', [
      String(much),
      String(much),
    ])
    await knex.raw('UPDATE tokens SET used = ?, limit_quota = ? WHERE id = ?', [
      String(much),
      String(2n * much),
      tokenId,
    ])
    await knex.raw('UPDATE users SET aff_quota = ?, aff_history = ?', [String(much), String(much)])
    const amounts = { quota: digits, used_quota: digits, aff_quota: digits }
    const history = { aff_history_quota: digits }
    t.match(await admin.must('GET', '/api/user/self'), { ...amounts, ...history })
    t.match(await admin.must('GET', '/api/user/1'), { quota: digits, used_quota: digits })
    t.match(await admin.must('GET', '/api/user/?p=1'), { items: [{ quota: digits }] })
    const token = { remain_quota: digits, used_quota: digits }
    t.match(await admin.must('GET', `/api/token/${tokenId}`), token)
    t.match((await admin.must('GET', '/api/token/?p=1')).items, [token])
    t.match(await admin.must('GET', '/api/ledger'), { posted: digits })
    const usage = await fetch(`${url}/api/usage/token/`, {
      headers: { authorization: `Bearer ${key}` },
    })
    t.match(await usage.json(), {
      data: { total_used: digits, total_granted: String(2n * much), total_available: digits },
    })
    await knex.raw(
      `INSERT INTO usage_log (request_id, type, user_id, username, model_name, quota)
     VALUES ('r', 2, 1, 'root', 'm', ?)`,
      [String(much)],
    )
    t.match((await admin.must('GET', '/api/log/?p=1&type=2')).items, [{ quota: digits }])
    t.match(await admin.must('GET', '/api/log/stat'), { quota: digits })
    const now = Math.floor(Date.now() / 1000)
    const chart = `/api/data/?start_timestamp=${now - 3_600}&end_timestamp=${now + 60}`
    t.match(await admin.must('GET', chart), [{ quota: digits }])

    await knex.raw('UPDATE accounts SET posted = ?, used = 0 WHERE id > 0', [before[0].posted])
    await knex.raw('UPDATE tokens SET used = 0')
    await knex.raw('UPDATE users SET aff_quota = 0, aff_history = 0')
    await knex.raw("DELETE FROM usage_log WHERE request_id = 'r'")
  },
)
