/**
 * Somebody signed in sends a body that is dear to read: keys that never repeat, texts that fall into hundreds of thousands
 * of names, lists without end. It is read in turns, and what is made of it is bounded before it is made (decision 0065).
 */
import t from 'tap'
import { names } from '../../plugins/management/channels/fields/names.js'
import { checkedText } from '../../plugins/services/options/option-value.js'
import { readGroups, readNumbers } from '../../plugins/services/pricing/map-text.js'
import { scriptedGateway } from '../kernel/http/harness.js'
import { cpuMs, least, turnMsMax, watchTurns } from '../kit/turn.js'

const MiB = 1024 * 1024
const msMax = turnMsMax()
const many = (item: string, bytes: number) => item.repeat(Math.floor(bytes / item.length))

function keys(bytes: number, value: string): string[] {
  const made: string[] = []
  for (let length = 0; length < bytes; length += made.at(-1)!.length + 1) {
    made.push(`"k${made.length}":${value}`)
  }
  return made
}

t.test('[LIMIT-6] no text of a field takes long to take apart', async (t) => {
  const map = `{${keys(2 * MiB - 64, '1').join(',')}}`
  const json = { name: 'map', type: 'json', title: '', maxBytes: 2 * MiB } as const
  const table: readonly (readonly [name: string, run: () => unknown, message: RegExp])[] = [
    ['names', () => names(many('ab,', 7.9 * MiB)), /more than 524288 characters/],
    ['short names', () => names(many('a,', 0.4 * MiB)), /more than 5000 names/],
    [
      'an option',
      () => checkedText('ModelRatio', json, map),
      /holds too much: at most 20000 members/,
    ],
    ['prices', () => readNumbers(map), /more than 20000 entries/],
    ['groups', () => readGroups(`{"a":${map}}`), /more than 20000 entries/],
  ]
  for (const [name, run, content] of table) {
    const ms = least(() => {
      const before = cpuMs()
      t.throws(run, { message: content }, name)
      return cpuMs() - before
    })
    t.ok(ms < msMax, `${name}: ${ms.toFixed(1)} ms`)
  }
})

t.test('[LIMIT-6] a large body of management is read in turns', async (t) => {
  const it = await scriptedGateway(t, {
    managementRoutes: [
      {
        name: 'a',
        method: 'POST',
        path: '/api/a',
        body: 'json',
        maxBytes: 8 * MiB,
        credential: 'user',
      },
    ],
    principal: {
      ...{ userId: 1, username: 'ann', role: 1, group: 'default', via: 'accessToken' },
      accessToken: { id: 1, name: 'a', scopes: ['all'] },
    },
    management: { routes: { a: { handle: async () => null } } },
  })
  const objects = keys(0.9 * MiB, '1').map((member) => `{${member}}`)
  const body = Buffer.from(`{"a":[${objects.join(',')}]}`)
  const headers = { 'content-type': 'application/json' }
  const longestTurn = watchTurns()
  t.equal((await it.ask('POST', '/api/a', { headers, body })).status, 200)
  const longest = longestTurn()
  t.ok(longest < msMax, `${longest.toFixed(1)} ms`)
})
