/** What holds of every request a pure plugin has the gateway send: it stays at its hosts, and its key in one header. */
import assert from 'node:assert/strict'
import type { ChannelView, Credentials, UpstreamRequest } from '../../kernel/contract/provider.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'

export function assertAtHosts(
  { url, headers }: UpstreamRequest,
  { baseUrl, settings }: Pick<ChannelView, 'baseUrl' | 'settings'>,
  hosts: readonly string[],
): void {
  assert.ok(URL.canParse(url), 'the address is absolute')
  assert.ok(mayReach(url, baseUrl, hosts, settings), 'it stays at the hosts of the manifest')
  for (const [name, value] of Object.entries(headers)) {
    assert.match(name, /^[a-z0-9-]+$/, 'header names are lower case')
    assert.equal(typeof value, 'string', name)
    assert.doesNotMatch(value, /[\r\n\0]/, name)
  }
}

export function assertKeyInHeaders(
  { url, headers, body }: UpstreamRequest,
  { key, token }: Credentials,
): void {
  for (const secret of token === undefined ? [key] : [key, token]) {
    assert.ok(!url.includes(secret), 'addresses end up in logs')
    assert.ok(body === undefined || !String(body).includes(secret), 'bodies end up in logs')
    const carriers = Object.entries(headers).filter(([, value]) => value.includes(secret))
    assert.ok(carriers.length <= 1, 'the key is sent once')
  }
}
