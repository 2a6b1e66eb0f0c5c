/** Reports of providers: the bytes as they came, to the service; what it returns, as it is (PAY-3). */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { PaymentCallback } from '../../../kernel/contract/payment.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { proofFor } from './probing.js'

type CallbackRequest = ManagementRequest<Readonly<Record<string, unknown>>, Buffer | undefined>

export type CallbackDependencies = Pick<Services, 'payments' | 'secrets'>

/** Throws a `Refusal` where no gateway takes callbacks at this address. */
export async function receive(
  method: PaymentCallback['method'],
  request: CallbackRequest,
  { payments, secrets }: CallbackDependencies,
  gateway = request.params.gateway ?? '',
): Promise<Answer> {
  const { headers, query, body = Buffer.alloc(0), address, requestId } = request
  const proof = proofFor(query, secrets)
  if (proof !== undefined) return text(200, proof)
  const callback = { method, headers: joined(headers), query: encoded(query), body }
  const reply = await payments.receive(gateway, callback, { address, requestId })
  if (reply === undefined)
    throw new Refusal('gone_missing', { what: 'payment gateway', param: 'gateway' })
  return text(reply.status ?? 200, reply.body, reply.type)
}

function text(status: number, body: string, type = 'text/plain; charset=utf-8'): Answer {
  return { answer: true, status, text: body, headers: { 'content-type': type } }
}

function joined(headers: CallbackRequest['headers']): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) found[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return found
}

/** The fields of the address as a form, in their order. */
function encoded(query: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return new URLSearchParams(fields).toString()
}
