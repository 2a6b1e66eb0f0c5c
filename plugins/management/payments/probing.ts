/**
 * Whether the address a provider reports to leads to this gateway: a request with a number nobody knows is sent there, and only
 * a process that holds the gateway's secrets can return what proves that it received it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { EgressError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { isEqualInConstantTime } from '../../../kernel/toolkit/payment/index.js'

export interface ProbingDependencies extends Pick<Services, 'payments' | 'egress' | 'secrets'> {
  readonly clock: Clock
}

export interface ProbeRecord {
  readonly result: 'reached' | 'elsewhere' | 'unreachable'
  /** 0: there was no response. */
  readonly status: number
  readonly milliseconds: number
  /** Empty where it was reached. */
  readonly reason: string
}

const parameter = 'waybill_probe'
const timeoutMs = 10_000
/** More than a proof is long. */
const bodyBytesMax = 65_536

/** Rejects with a `Refusal` where there is nothing to reach. */
export async function probe(
  { params: { gateway: name } }: ManagementRequest,
  { payments, egress, secrets, clock }: ProbingDependencies,
): Promise<ProbeRecord> {
  const address = addressOf(name!, payments)
  const number = randomBytes(16).toString('hex')
  const startedAt = clock.now()
  const took = () => Math.max(0, Math.round(clock.now() - startedAt))
  try {
    const reply = await egress.open({
      ...{ method: 'POST', url: `${address}?${parameter}=${number}`, namedBy: 'admin' },
      headers: { 'content-length': '0' },
      ...{ headersTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs },
    })
    const body = await readAll(reply.body, bodyBytesMax)
    const isProof = isEqualInConstantTime(body.toString('latin1'), proofOf(number, secrets))
    const { status } = reply
    const reason = isProof ? '' : `Something else responded, with status ${status}.`
    return { result: isProof ? 'reached' : 'elsewhere', status, milliseconds: took(), reason }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const reason = faultOf(error)
    return { result: 'unreachable', status: 0, milliseconds: took(), reason }
  }
}

function faultOf({ failure }: EgressError): string {
  return failure.code === 'channel:address_refused'
    ? 'This gateway may not call that address.'
    : 'There was no connection, or no response in time.'
}

function addressOf(name: string, payments: ProbingDependencies['payments']): string {
  const found = payments.gatewayStates().find((one) => one.name === name)
  if (found === undefined) {
    throw new Refusal('gone_missing', { what: 'payment gateway', param: 'gateway' })
  }
  if (found.state === 'incomplete') {
    const reason = 'A setting is missing without which this gateway takes no reports.'
    throw new Refusal('conflict', { reason, param: 'gateway' })
  }
  if (found.callbackAddress !== '') return found.callbackAddress
  const reason =
    'There is no address to reach: its provider does not report, or ServerAddress is not set.'
  throw new Refusal('conflict', { reason, param: 'gateway' })
}

/** What to return where this is a probe; undefined: it is a report of a provider. */
export function proofFor(
  query: Readonly<Record<string, unknown>>,
  secrets: ProbingDependencies['secrets'],
): string | undefined {
  const number = query[parameter]
  if (typeof number !== 'string' || !/^[0-9a-f]{32}$/.test(number)) return undefined
  return proofOf(number, secrets)
}

function proofOf(number: string, secrets: ProbingDependencies['secrets']): string {
  return createHmac('sha256', secrets.derive('payment-probe')).update(number).digest('hex')
}
