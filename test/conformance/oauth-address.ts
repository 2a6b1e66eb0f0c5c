/** Where an OAuth provider sends the browser: everything that must stand in the address, and what must not. */
import assert from 'node:assert/strict'
import type { TestFunction } from './kit.js'
import type { OAuthSubject } from './oauth.js'
import { bench, codeChallenge, nonce, redirectUri, state } from './oauth-bench.js'

export function conformingAddress(test: TestFunction, subject: OAuthSubject): void {
  test('it sends the browser somewhere only if its manifest states so', () => {
    const { manifest, provider } = bench(subject)
    const style = manifest.oauth?.style ?? 'redirect'
    assert.equal(provider.authorize !== undefined, style !== 'code')
    const byRedirect = style === 'redirect'
    assert.equal(subject.clientId !== undefined, byRedirect, 'the subject names its client id')
  })
  if (subject.clientId === undefined) return
  test('the address states who asks, what comes back, and where to', async () => {
    const { searchParams, protocol, hash } = await addressOf(subject, state)
    assert.match(protocol, /^https?:$/)
    assert.equal(hash, '')
    assert.equal(searchParams.get('response_type'), 'code')
    assert.equal(searchParams.get('client_id'), subject.clientId)
    assert.equal(searchParams.get('state'), state, 'the state stands there as it was given')
    assert.equal(searchParams.get('redirect_uri'), redirectUri)
    for (const name of searchParams.keys()) {
      assert.equal(searchParams.getAll(name).length, 1, `"${name}" stands there once`)
    }
  })
  test('the address holds no secret', async () => {
    const { href } = await addressOf(subject, state)
    for (const secret of bench(subject).secrets) {
      assert.ok(!href.includes(secret) && !href.includes(encodeURIComponent(secret)))
    }
  })
  test('each sign-in has an address of its own', async () => {
    const one = await addressOf(subject, `${state}1`)
    const other = await addressOf(subject, `${state}2`)
    assert.equal(one.searchParams.get('state'), `${state}1`)
    assert.equal(other.searchParams.get('state'), `${state}2`)
  })
  if (subject.pkce === false) return
  test('the address carries the challenge of PKCE, by S256', async () => {
    const { searchParams } = await addressOf(subject, state)
    assert.equal(searchParams.get('code_challenge'), codeChallenge)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
  })
}

async function addressOf(subject: OAuthSubject, ownState: string): Promise<URL> {
  const { provider } = bench(subject, { signIn: subject.signIns[0] })
  const ask = { state: ownState, redirectUri, codeChallenge, nonce }
  const address = await provider.authorize?.(ask)
  assert.ok(address instanceof URL, 'the address is a URL')
  return address
}
