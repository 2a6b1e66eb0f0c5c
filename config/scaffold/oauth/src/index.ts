/** Signing in with Acme: the browser goes there and comes back with a code, for which Acme states who it was. */
import type { OAuthAnswer, OAuthIdentity, OAuthProvider, OutgoingKit } from 'waybill/contract'
import { someText } from 'waybill/toolkit/json'
import { answeredObject, digitsSubject, OAuthApp } from 'waybill/toolkit/oauth'

const headers = { accept: 'application/json' }

export default function create(kit: OutgoingKit): OAuthProvider {
  const at = (path: string) => new URL(path, kit.settings.string('address')).href

  /** By the settings of this moment. */
  const app = () =>
    new OAuthApp(
      {
        place: 'Acme',
        authorizationEndpoint: at('/oauth/authorize'),
        tokenEndpoint: at('/oauth/token'),
        scope: 'profile email',
        secretIn: 'form',
        headers,
      },
      kit,
    )

  async function identify(answer: OAuthAnswer): Promise<OAuthIdentity> {
    const authorization = `Bearer ${await app().token(answer)}`
    const response = await kit.fetch(at('/api/me'), { headers: { ...headers, authorization } })
    const person = await answeredObject('Acme', response, 'the question who it was')
    const email = someText(person.email)
    return {
      // An id never changes and is never given to another; a name or an address may be.
      subject: digitsSubject('Acme', person.id),
      username: someText(person.login),
      displayName: someText(person.name),
      ...(email !== undefined && { email, emailVerified: person.email_verified === true }),
    }
  }

  return {
    authorize: (request) => app().authorize(request),
    identify,
    ready: () => URL.canParse(kit.settings.string('address')) && app().ready(),
  }
}
