/** What a provider with a form of its own sees of a call: its own, what it declared, and nothing of others. */
import t from 'tap'
import type { Call, Part } from '../../../../kernel/contract/call.js'
import { ownCall } from '../../../../kernel/toolkit/stage/own-call.js'
import { ownFormUnsupportedFields } from '../../../../kernel/toolkit/stage/own-form.js'

const issuer = 'provider.acme'

const callOf = (parts: readonly Part[], over: Partial<Call> = {}): Call => ({
  model: 'm',
  turns: [{ role: 'user', parts }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
  ...over,
})
const text = { kind: 'text', text: 'Hello' } as const
const sealedBy = (by: 'messages' | 'provider.acme' | 'provider.other') =>
  ({ ...text, seal: { by, value: 'signature' } }) as const
const opaqueOf = (of: 'messages' | 'provider.acme') =>
  ({ kind: 'opaque', of, value: { a: 1 } }) as const
const partsSeen = (parts: readonly Part[]) => ownCall(callOf(parts), { issuer }).turns[0]?.parts

t.test('a call that holds nothing of others is the same object', async (t) => {
  const call = callOf([sealedBy(issuer), opaqueOf(issuer)], {
    only: { [issuer]: { thread: 't' }, chat: { mood: 'kind' } },
  })
  t.equal(ownCall(callOf([text]), {}).only, undefined)
  t.strictSame(ownCall(call, { issuer, ownFields: ['mood'] }), call)
  const plain = callOf([text])
  t.equal(ownCall(plain, { issuer }), plain)
})

t.test('seals of other issuers are left out, its own stay', async (t) => {
  t.strictSame(partsSeen([sealedBy(issuer), sealedBy('messages'), sealedBy('provider.other')]), [
    sealedBy(issuer),
    text,
    text,
  ])
})

t.test('opaque parts of others are left out, within results of tools as well', async (t) => {
  const result = (...parts: Part[]): Part => ({ kind: 'toolResult', callId: 'c', parts })
  t.strictSame(partsSeen([opaqueOf('messages'), opaqueOf(issuer)]), [opaqueOf(issuer)])
  t.strictSame(partsSeen([result(opaqueOf('messages'), sealedBy('messages'))]), [result(text)])
})

t.test(
  'fields of others are left out at every level, declared ones of the chat format stay',
  async (t) => {
    const only = { [issuer]: { own: 1 }, chat: { mood: 'kind', seed: 7 }, messages: { x: 1 } }
    const call = callOf([{ ...text, only }], {
      only,
      tools: [
        { kind: 'function', name: 'now', only },
        { kind: 'server', name: 'web_search', only },
      ],
    })
    const kept = { [issuer]: { own: 1 } }
    t.strictSame(ownCall(call, { issuer, ownFields: ['mood'] }), {
      ...call,
      turns: [{ role: 'user', parts: [{ ...text, only: kept }] }],
      tools: [
        { kind: 'function', name: 'now', only: kept },
        { kind: 'server', name: 'web_search', only },
      ],
      only: { ...kept, chat: { mood: 'kind' } },
    })
  },
)

t.test('[FMT-9] what it issued itself is not named as lost, what others issued is', async (t) => {
  const adapter = { issuer, ownFields: ['mood'] } as const
  const only = { [issuer]: { own: 1 }, chat: { mood: 'kind', seed: 7 } }
  t.strictSame(
    ownFormUnsupportedFields(adapter, callOf([{ ...opaqueOf(issuer), only }], { only })),
    { refuse: [], report: ['seed', 'parts.mood', 'parts.seed'] },
  )
  t.strictSame(ownFormUnsupportedFields(adapter, callOf([opaqueOf('messages')])).refuse, ['opaque'])
  const nested = callOf([{ kind: 'toolResult', callId: 'a', parts: [opaqueOf('messages')] }])
  t.ok(ownFormUnsupportedFields(adapter, nested).refuse.includes('opaque'), 'in results as well')
})

t.test('[FMT-9] what it names as lost besides is decided by what it may see', async (t) => {
  let seen: Call | undefined
  const unsupportedFields = (call: Call) => {
    seen = call
    return { refuse: [], report: ['limit'] }
  }
  const adapter = { issuer, expresses: ['limit'], unsupportedFields } as const
  t.strictSame(ownFormUnsupportedFields(adapter, callOf([sealedBy('messages')])).report, ['limit'])
  t.strictSame(seen?.turns[0]?.parts, [text])
})
