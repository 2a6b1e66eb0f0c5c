/** A write that has happened stands, whatever becomes of its line in the audit log. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import { json, scriptedGateway } from './harness.js'

const ada: Principal = { userId: 7, username: 'ada', role: 10, group: 'default', via: 'session' }

t.test(
  'what cannot be recorded in the audit log goes to the process log, and the answer stands',
  async (t) => {
    const { ask, lines } = await scriptedGateway(t, {
      managementRoutes: [{ method: 'POST', path: '/api/it', credential: 'admin', body: 'json' }],
      management: {
        routes: {
          it: {
            handle: () => ({
              answer: true,
              data: 'done',
              audit: { object: 'a thing', detail: 'made', before: { state: 'canary' } },
            }),
          },
        },
      },
      principal: ada,
      auditor: { record: () => Promise.reject(new Error('no table')), refused() {} },
    })
    const headers = { ...json, 'sec-fetch-site': 'same-origin' }
    const { status, json: result } = await ask('POST', '/api/it', { body: '{}', headers })
    t.match({ status, result }, { status: 200, result: { success: true, data: 'done' } })
    const line = lines.find(
      ({ message }) => message === 'a write could not be recorded in the audit log',
    )
    t.match(line, { audit: { action: 'test.it', object: 'a thing', principal: ada } })
    t.notMatch(JSON.stringify(line), 'canary', 'states are hashed or not reported at all')
  },
)
