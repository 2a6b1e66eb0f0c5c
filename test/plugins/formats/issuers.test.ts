/** Seals of issuers no format knows: they pass its clients under the name of who issued them, and come back as they were. */
import t from 'tap'
import type { Issuer } from '../../../kernel/contract/names.js'
import * as chat from '../../../plugins/formats/chat/seals.js'
import * as generative from '../../../plugins/formats/generative/seal.js'
import * as messages from '../../../plugins/formats/messages/seal.js'
import * as responses from '../../../plugins/formats/responses/seal.js'

const ways: Readonly<Record<string, (seal: chat.Seal) => chat.Seal | undefined>> = {
  chat: (seal) => chat.toolSeal(chat.toolExtra(seal).extra_content),
  messages: (seal) => messages.readSeal(messages.writeSeal(seal)),
  generative: (seal) => generative.readSeal(generative.writeSeal(seal)),
  responses: (seal) => responses.readSeal(responses.writeSeal(seal, 'rs_1'), 'rs_1'),
  'a tool of responses': (seal) => responses.toolSeal(responses.toolExtra(seal).extra_content),
}
const issuers: readonly string[] = ['provider.acme', 'provider.a-b', 'acme', 'chat', 'messages']

t.test('[FMT-9] a seal comes back to its issuer, whoever that is', async (t) => {
  for (const [way, through] of Object.entries(ways)) {
    for (const by of issuers as readonly Issuer[]) {
      for (const value of ['{"a":1}', '{"chat.":"provider.b."}']) {
        if (by === 'chat' && way === 'a tool of responses') continue
        t.strictSame(through({ by, value }), { by, value }, `${way}: ${by}`)
      }
    }
  }
})

t.test('[FMT-9] what is named in no way an issuer can be is no seal', async (t) => {
  for (const by of ['', 'Provider.acme', 'provider.', 'a b', '__proto__', '../x', 'service.a']) {
    const extra = { waybill: { by, seal: 'x' } }
    t.notMatch(chat.toolSeal(extra), { by })
    t.equal(responses.toolSeal(extra), undefined, by)
  }
})
