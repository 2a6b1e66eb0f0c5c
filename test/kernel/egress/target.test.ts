import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import { addressPolicy, type NamedBy } from '../../../kernel/egress/address-policy.js'
import { createTargets } from '../../../kernel/egress/target.js'
import { EgressError } from '../../../kernel/toolkit/errors/egress-error.js'

const targetOf = createTargets(addressPolicy(() => true))

const refused = { code: 'channel:address_refused', blame: 'channel', status: 0 }

function refusalOf(url: string, namedBy: NamedBy): Failure | undefined {
  try {
    targetOf(url, namedBy)
    return undefined
  } catch (error) {
    return error instanceof EgressError ? error.failure : undefined
  }
}

t.test('origin and path go out as written', async (t) => {
  for (const [url, origin, path] of [
    ['https://api.example/v1/chat?a=b%20c', 'https://api.example', '/v1/chat?a=b%20c'],
    ['https://api.example', 'https://api.example', '/'],
    ['HTTPS://API.example:443/v1', 'https://api.example', '/v1'],
    ['http://api.example:8080/a/..b/c.d', 'http://api.example:8080', '/a/..b/c.d'],
    ['http://[2606:4700::1111]:8080/', 'http://[2606:4700::1111]:8080', '/'],
    ['https://api.example/models/org%2Fname:run', 'https://api.example', '/models/org%2Fname:run'],
    ['https://api.example/v1?next=/../x', 'https://api.example', '/v1?next=/../x'],
  ] as const) {
    t.strictSame(targetOf(url, 'user'), { origin, path }, url)
    t.strictSame(targetOf(url, 'user'), { origin, path }, `${url} again, from memory`)
  }
})

t.test('addresses that say one thing and mean another are refused (X1, X2)', async (t) => {
  for (const url of [
    '',
    'api.example/v1',
    'ftp://api.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https:///v1',
    'https://user@api.example/',
    'https://user:pass@api.example/',
    'https://api.example\\@evil.example/',
    'https://api.example?x=/v1',
    'https://api.example#x/v1',
    'https://api.example/v1/../admin',
    'https://api.example/v1/./x',
    'https://api.example/v1/..',
    'https://api.example/..?x',
    'https://api.example/v1/%2e%2E/x',
    'https://api.example/v1/.%2e',
    'https://api.example/v1\\..\\x',
    'https://api.example/v1#part',
    'https://api.example/v 1',
    'https://api.example/v1\r\nhost: x',
    'https://api.example/ä',
    'https://api.example/?q=ä',
  ]) {
    t.match(refusalOf(url, 'admin'), refused, url)
  }
})

t.test('literal addresses are judged in whatever spelling they come', async (t) => {
  for (const url of [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1:8080/',
  ]) {
    t.doesNotThrow(() => targetOf(url, 'admin'), url)
    t.match(refusalOf(url, 'user'), refused, url)
  }
  for (const url of [
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
  ]) {
    t.match(refusalOf(url, 'admin'), refused, url)
  }
})

t.test('a user may not knock at the ports of other services', async (t) => {
  for (const [port, allowed] of [
    [80, true],
    [443, true],
    [8443, true],
    [22, false],
    [25, false],
    [445, false],
  ] as const) {
    const url = `https://api.example:${port}/`
    t.doesNotThrow(() => targetOf(url, 'admin'), url)
    if (allowed) t.doesNotThrow(() => targetOf(url, 'user'), url)
    else t.throws(() => targetOf(url, 'user'), url)
  }
})

t.test('what an admin was allowed is not remembered for a user', async (t) => {
  t.ok(targetOf('http://10.9.9.9/', 'admin'))
  t.throws(() => targetOf('http://10.9.9.9/', 'user'))
})
