/** What tables of unsupported fields ask of turns and their parts. */
import t from 'tap'
import type { Part, Turn } from '../../../../kernel/contract/call.js'
import {
  hasUnreadableInput,
  holdsForeignOpaque,
  toolInput,
} from '../../../../kernel/toolkit/format/index.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'

const call = (input: string): Part => ({ kind: 'toolCall', id: 'call_1', name: 'look', input })

t.test(
  '[FMT-5] the input of a tool is an object, and no text or null is an empty one',
  async (t) => {
    t.strictSame(toolInput(' {"a": 1} '), { a: 1 })
    for (const none of ['', '  ', 'null', ' null ']) t.strictSame(toolInput(none), {})
    for (const other of ['[1]', '"a"', '1', '{', 'nullify']) {
      t.equal(toolInput(other), undefined, other)
      t.ok(hasUnreadableInput(call(other)), other)
    }
  },
)

t.test('[LIMIT-6] the input of a tool that is too much to read at once is refused', async (t) => {
  const containers = `{"a":[${'{},'.repeat(limits.eventJsonContainersMax)}{}]}`
  const text = `{"a":"${'x'.repeat(limits.wholeEventBytesMax)}"}`
  for (const input of [containers, text]) t.ok(hasUnreadableInput(call(input)))
  t.notOk(hasUnreadableInput(call('{"a":[{},{}]}')))
})

t.test(
  '[FMT-5] an opaque part is foreign to every format but its own, in tool results too',
  async (t) => {
    const opaque = { kind: 'opaque', of: 'messages', value: {} } as unknown as Part
    const result = { kind: 'toolResult', callId: 'call_1', parts: [opaque] } as unknown as Part
    for (const parts of [[opaque], [result]]) {
      const turn: Turn = { role: 'user', parts }
      t.notOk(holdsForeignOpaque(turn, 'messages'))
      t.ok(holdsForeignOpaque(turn, 'generative'))
    }
  },
)
