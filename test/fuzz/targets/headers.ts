/** Headers from either side: who asks, with which key, what passes on, and how long an upstream wants to be left alone. */
import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { parseTrustedProxies } from '../../../kernel/http/trusted-proxies.js'
import {
  appendClientHeaders,
  outgoingHeaders,
  upstreamHeaders,
} from '../../../kernel/toolkit/endpoint/header-hygiene.js'
import {
  anyCredential,
  messagesCredential,
  requireJson,
} from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal, upstreamFailure } from '../../../kernel/toolkit/errors/index.js'
import { bytesIn, mutatedBytes } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly name: string
  readonly value: string
  readonly status: number
}

const names = [
  ...[
    'x-forwarded-for',
    'x-forwarded-proto',
    'content-type',
    'authorization',
    'x-api-key',
    'connection',
  ],
  ...[
    'retry-after',
    'retry-after-ms',
    'date',
    'x-ratelimit-reset',
    'x-waybill-lost',
    '__proto__',
    'host',
  ],
]
const values = [
  '203.0.113.7, 10.0.0.2',
  '[2001:db8::1]:443, ::ffff:10.0.0.3, 10.0.0.2:80',
  'fe80::1%eth0',
  'https, https',
  'application/json; charset=utf-8',
  'multipart/form-data; boundary="x"',
  'Bearer sk-0123456789abcdef',
  'keep-alive, x-secret',
  'Wed, 21 Oct 2026 07:28:00 GMT',
  '120',
]
const tokens = [',', ' ', ':', '[', ']', '%', '::', '1e9', '-1', '\r\n', ';', '\t', 'bearer ']
const proxies = parseTrustedProxies(['10.0.0.0/8', 'fd00::/8'])

export const headers: Target<Input> = {
  name: 'headers',
  inputs: fc.record({
    name: fc.oneof(fc.constantFrom(...names), mutatedBytes(names, tokens)),
    value: fc.oneof(mutatedBytes(values.map(bytesIn), tokens), fc.string({ unit: 'binary' })),
    status: fc.integer({ min: 100, max: 599 }),
  }),
  check({ name, value, status }) {
    assertCaller(value)
    const request = {
      [name]: value,
      'content-type': value,
      authorization: value,
      'x-api-key': value,
    }
    const credentials = [
      messagesCredential(request),
      anyCredential({ headers: request, query: { key: value } }),
    ]
    for (const one of credentials) assert.ok(one.kind !== 'key' || one.key.trim() === one.key)
    refusedOnly(() => requireJson(request))
    assertPassedOn({ [name]: value, connection: value }, status)
    const result = {
      [name]: value,
      'retry-after': value,
      'retry-after-ms': value,
      date: values[8]!,
    }
    const { retryAfterMs = 0, message } = upstreamFailure({
      status,
      headers: result,
      head: Buffer.from(value, 'latin1'),
    })
    assert.ok(
      Number.isInteger(retryAfterMs) && retryAfterMs >= 0 && retryAfterMs <= 86_400_000,
      'retry-after',
    )
    assert.ok(!/[\r\n]/.test(message), 'the sentence is one line')
  },
}

/** The address is one, and never one that only a peer nobody trusts has named. */
function assertCaller(value: string): void {
  assert.equal(proxies.clientAddress('203.0.113.9', value), '203.0.113.9', 'an unnamed peer')
  const address = proxies.clientAddress('10.0.0.1', value)
  assert.notEqual(isIP(address), 0, 'the address')
  const [last = ''] = value.split(',').slice(-1)
  const hop = last.trim()
  if (isIP(hop) === 4 && !proxies.trusts(hop)) assert.equal(address, hop, 'the nearest hop')
  assert.equal(proxies.isSecure('203.0.113.9', false, value), false, 'HTTPS claimed by a stranger')
}

function assertPassedOn(result: Readonly<Record<string, string>>, status: number): void {
  const flat = [
    ...outgoingHeaders(result),
    ...appendClientHeaders([], upstreamHeaders(result), status),
  ]
  for (const text of flat) assert.ok(!/[\r\n\0]/.test(text), 'no line ends')
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at]!.toLowerCase()
    assert.ok(!['connection', 'set-cookie', 'transfer-encoding', 'host'].includes(name), name)
  }
}

function refusedOnly(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
