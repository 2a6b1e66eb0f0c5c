/** Masking of log lines: nothing throws, a line of JSON stays one, no secret survives, and long lines cost little. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createRedaction } from '../../../kernel/toolkit/service/index.js'
import { mutatedBytes } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly piece: string
  readonly secret: string
  /** How often the text is quoted again, as a message within a message is. */
  readonly quoted: number
  readonly repeats: number
}

const pieces = [
  'GET /v1/models/sk-a.a.a eyJhbGciOi.eyJzdWIiOiIx.c2ln',
  '{"authorization":"Bearer abcdefgh","password":"x\\"y"}',
  'https://user:pass@host/?key=abc&token=def AIzaSyA0123456789abcdefghij',
  'cookie: a=b; x-api-key = secret',
  '\\\\\\"api_key\\\\\\": \\\\\\"',
  'eyJ-eyJ.-',
]
const tokens = [
  'sk-',
  'eyJ',
  '.',
  '://',
  '@',
  ':',
  '\\',
  '"',
  'Bearer ',
  'basic ',
  'password',
  '=',
  '?key=',
  'AIza',
]
const secrets = fc
  .stringMatching(/^[A-Za-z0-9_/+=" \\.-]{12,40}$/)
  .filter((text) => text.trim().length >= 12)
const longest = 256 * 1024

export const redaction: Target<Input> = {
  name: 'redaction',
  inputs: fc.record({
    piece: fc.oneof(mutatedBytes(pieces, tokens), fc.string({ unit: 'binary' })),
    secret: secrets,
    quoted: fc.nat(3),
    repeats: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 50, 100_000),
  }),
  check({ piece, secret, quoted, repeats }) {
    const redaction = createRedaction()
    redaction.add(secret)
    const long = piece.repeat(Math.min(repeats, Math.ceil(longest / (piece.length + 1))))
    let message = `${long}${secret}${piece}`
    for (let time = 0; time < quoted; time += 1) message = JSON.stringify({ message })
    const line = JSON.stringify({ msg: message, url: `/v1/${encodeURIComponent(secret)}`, secret })
    const masked = redaction.mask(line)
    assert.ok(isJson(masked), 'the line stays JSON')
    if (quoted === 0 && !piece.includes('\\')) {
      assert.ok(!masked.includes(JSON.stringify(secret).slice(1, -1)), 'the secret')
    }
    assert.ok(!masked.includes(encodeURIComponent(secret)), 'the secret in an address')
    redaction.mask(message)
  },
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
