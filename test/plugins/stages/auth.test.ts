/** The stage that states who is calling, beside an identity that knows one key. */
import t from 'tap'
import type { Credential } from '../../../kernel/contract/client.js'
import type { Services } from '../../../kernel/contract/service.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import type { Identified } from '../../../plugins/services/identity/index.js'
import createAuth from '../../../plugins/stages/auth/index.js'
import { planned } from '../../kit/line-fakes.js'

const { user } = planned()
const token = { id: 7, name: 'script', group: '', crossGroupRetry: false }
const known: Identified = { user, token, pinned: 3 }

type ByKey = (key: string, address: string) => Identified | Promise<Identified>

function auth(byKey: ByKey) {
  const recordings = { everybody: undefined, begin: () => undefined }
  const services = { identity: { byKey }, recordings } as unknown as Pick<
    Services,
    'identity' | 'recordings'
  >
  return createAuth({ services } as Kit<'identity' | 'recordings'>)
}

const as = (credential: Credential) =>
  planned({ credential, client: { headers: {}, query: {}, address: '192.0.2.7' } })

const neverCalled: ByKey = () => {
  throw new Error('identity is not to be called')
}

t.test('[AUTH-1] a key becomes its token, owner and channel, by the address it came from', (t) => {
  const requests: unknown[] = []
  const stage = auth((...query) => {
    requests.push(query)
    return known
  })
  t.same(stage.run(as({ kind: 'key', key: 'sk-one' })), known)
  t.same(requests, [['sk-one', '192.0.2.7']])
  t.end()
})

t.test('[AUTH-1] a key that has to be read first is waited for', async (t) => {
  const stage = auth(async () => known)
  t.same(await stage.run(as({ kind: 'key', key: 'sk-one' })), known)
})

t.test('[AUTH-1] without a credential nobody is looked up', (t) => {
  t.throws(() => auth(neverCalled).run(as({ kind: 'none' })), { code: 'missing_credential' })
  t.end()
})

t.test('[FMT-15] who is signed in calls without a token', (t) => {
  t.same(auth(neverCalled).run(as({ kind: 'user', user })), { user })
  t.end()
})

t.test('[AUTH-3] the refusal of a key reaches the client as identity gives it', async (t) => {
  const refusal = new Refusal('token_owner_deleted')
  const credential = { kind: 'key', key: 'sk-one' } as const
  const thrown = auth(() => {
    throw refusal
  })
  t.throws(() => thrown.run(as(credential)), refusal)
  const rejected = auth(() => Promise.reject(refusal))
  await t.rejects(async () => rejected.run(as(credential)), refusal)
})
