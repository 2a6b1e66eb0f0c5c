/** Asks the verifier about one token. Whatever is not a clear answer within the time is an error. */
import { isObject } from '../../../kernel/contract/json.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Cancel, Egress, EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'

const timeoutMs = 10_000
const answerBytesMax = 65_536

export interface VerifierDependencies {
  readonly egress: Pick<Egress, 'open'>
  readonly clock: Clock
}

export interface Question {
  readonly url: string
  readonly secret: string
  readonly token: string
  readonly address: string
}

/** Faults that are the operator's or the verifier's own, not the person's. */
const notTheirs: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
  'internal-error',
])

/** Whether it confirms the token. Rejects where it cannot decide; the message holds nothing of the token. */
export async function confirms(
  question: Question,
  dependencies: VerifierDependencies,
): Promise<boolean> {
  const answer = await within(dependencies.clock, (cancel, reach) =>
    verifyRemotely(question, dependencies.egress, cancel, reach),
  )
  if (!isObject(answer) || typeof answer.success !== 'boolean') {
    throw new Error('the verifier answered something else than {success}')
  }
  if (answer.success) return true
  const codes = Array.isArray(answer['error-codes']) ? answer['error-codes'] : []
  const fault = codes.find((code) => notTheirs.has(code))
  if (fault !== undefined) throw new Error(`the verifier answered ${fault}`)
  return false
}

async function verifyRemotely(
  { url, secret, token, address }: Question,
  egress: Pick<Egress, 'open'>,
  cancel: Cancel,
  reach: (reply: EgressReply) => void,
): Promise<unknown> {
  const reply = await egress.open({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ secret, response: token, remoteip: address }).toString(),
    namedBy: 'admin',
    headersTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
    cancel,
  })
  reach(reply)
  const body = await readAll(reply.body, answerBytesMax)
  if (reply.status !== 200) throw new Error(`the verifier answered status ${reply.status}`)
  return JSON.parse(body.toString('utf8'))
}

/** The whole call has one deadline, however slowly the answer drips. */
async function within<T>(
  clock: Clock,
  call: (cancel: Cancel, reach: (reply: EgressReply) => void) => Promise<T>,
): Promise<T> {
  const cancel: Cancel = {}
  let reply: EgressReply | undefined
  let stop = () => {}
  const late = new Promise<never>((_, reject) => {
    stop = clock.after(timeoutMs, () => {
      reject(new Error('the verifier did not answer in time'))
      cancel.abort?.()
      reply?.body.abort()
    })
  })
  try {
    return await Promise.race([
      call(cancel, (reached) => {
        reply = reached
      }),
      late,
    ])
  } finally {
    stop()
  }
}
