/** Providers that exchange keys, under the service that does it for them: tokens kept, refused, renewed and stored. */

import t from 'tap'
import type { ByteSource } from '../../kernel/contract/bytes.js'
import type { Channel } from '../../kernel/contract/line/channel.js'
import type { Provider } from '../../kernel/contract/provider.js'
import type { EgressRequest } from '../../kernel/contract/services/egress.js'
import type { ChannelEdits } from '../../plugins/services/channels/index.js'
import createCredentials from '../../plugins/services/credentials/index.js'
import azure from '../../providers/azure/index.js'
import assistant from '../../providers/code-assistant/index.js'
import vertex from '../../providers/vertex/index.js'
import { FakeClock } from '../kit/clock.js'
import { channel } from '../kit/line-fakes.js'
import { RecordingLog, secrets, settingsOf } from '../plugins/management/management-fixture.js'
import { accessToken, sessionKey } from './code-assistant-session.js'
import { manifestOf } from './provider-kit.js'
import { key as accountKey } from './vertex-account.js'

const hour = 3_600_000

function bureau(provider: Provider, hosts: readonly string[]) {
  const clock = new FakeClock(1_795_291_200_000)
  const sent: EgressRequest[] = []
  const renewed: [string, string][] = []
  let answer: object = {}
  const credentials = createCredentials({
    settings: settingsOf({}),
    clock,
    log: new RecordingLog(),
    services: {
      secrets,
      egress: {
        async open(request) {
          sent.push(request)
          return { status: 200, headers: {}, body: bytes(JSON.stringify(answer)) }
        },
        dial: () => Promise.reject(new Error('not requested')),
        connect: () => Promise.reject(new Error('no sockets here')),
      },
      providers: {
        adapter: () => undefined,
        provider: () => provider,
        hosts: () => hosts,
        knows: () => true,
        defaultBaseUrl: () => '',
        warm: async () => {},
      },
      channels: {
        get: () => undefined,
        all: () => [],
        tiers: () => [],
        fault: () => undefined,
        models: () => [],
        renewKey: async (_id, spent, next) => void renewed.push([spent, next]),
        suspend: async () => false,
        resume: async () => false,
        noteTest: async () => {},
        edits: {} as ChannelEdits,
      },
    },
  })
  const tokenOf = async (place: Channel, key: string) => {
    const found = await credentials.of(place, key)
    return 'token' in found ? found.token : undefined
  }
  const answers = (next: object) => {
    answer = next
  }
  return { clock, sent, renewed, credentials, tokenOf, answers }
}

function bytes(text: string): ByteSource {
  return {
    consume(consumer) {
      consumer.data(Buffer.from(text))
      consumer.end()
    },
    resume() {},
    abort() {},
  }
}

t.test('a service account is exchanged once an hour', async (t) => {
  const { clock, sent, tokenOf, answers } = bureau(vertex(), ['channel', '*.googleapis.com'])
  const place = channel(1)
  answers({ access_token: 'ya29.one', expires_in: 3599 })
  t.equal(await tokenOf(place, accountKey), 'ya29.one')
  t.equal(await tokenOf(place, accountKey), 'ya29.one')
  t.equal(sent.length, 1)
  clock.advance(hour)
  answers({ access_token: 'ya29.two', expires_in: 3599 })
  t.equal(await tokenOf(place, accountKey), 'ya29.two')
  t.equal(sent.length, 2)
})

t.test(
  'a service principal of Azure is exchanged once an hour, and anew once it is refused',
  async (t) => {
    const { hosts } = manifestOf('azure')
    const { clock, sent, credentials, tokenOf, answers } = bureau(azure(), hosts)
    const place = channel(1)
    const principal = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490|client-1|a-secret-of-it'
    answers({ token_type: 'Bearer', access_token: 'eyJ.one', expires_in: 3599 })
    t.equal(await tokenOf(place, principal), 'eyJ.one')
    t.equal(await tokenOf(place, principal), 'eyJ.one')
    t.equal(sent.length, 1)
    answers({ token_type: 'Bearer', access_token: 'eyJ.two', expires_in: 3599 })
    credentials.forget(place, principal)
    t.equal(await tokenOf(place, principal), 'eyJ.two')
    clock.advance(hour)
    answers({ token_type: 'Bearer', access_token: 'eyJ.three', expires_in: 3599 })
    t.equal(await tokenOf(place, principal), 'eyJ.three')
    t.equal(sent.length, 3)
    t.match(sent[0]?.url, /^https:\/\/login\.microsoftonline\.com\//)
  },
)

t.test('a session is used until its end or a refusal, and each renewal is stored', async (t) => {
  const { clock, sent, renewed, credentials, tokenOf, answers } = bureau(assistant(), [
    'auth.openai.com',
  ])
  const place = channel(1)
  const first = accessToken(clock.now() + 2 * hour, 'first')
  const second = accessToken(clock.now() + 20 * hour, 'second')
  const third = accessToken(clock.now() + 40 * hour, 'third')
  const key = sessionKey({ access_token: first })
  t.equal(await tokenOf(place, key), first)
  t.equal(sent.length, 0)
  answers({ access_token: second, refresh_token: 'refresh-1' })
  clock.advance(2 * hour)
  t.equal(await tokenOf(place, key), second)
  answers({ access_token: third, refresh_token: 'refresh-2' })
  credentials.forget(place, key)
  t.equal(await tokenOf(place, key), third, 'refused, though it had hours left')
  const spent = sent.map(({ body }) => JSON.parse(String(body)).refresh_token)
  t.same(spent, ['refresh-0', 'refresh-1'], 'each is spent once')
  t.equal(renewed.length, 2)
  t.equal(renewed[0]?.[0], key)
  t.equal(renewed[1]?.[0], renewed[0]?.[1], 'one in the place of the other')
  t.match(JSON.parse(renewed[1]![1]), { access_token: third, refresh_token: 'refresh-2' })
})
