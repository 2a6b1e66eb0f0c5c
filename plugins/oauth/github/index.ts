/** Signing in with GitHub: an OAuth app reads who somebody is, and which address of theirs is confirmed. */
import type { Json } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { OAuthAnswer, OAuthProvider } from '../../../kernel/contract/oauth.js'
import { objectsOf, someText } from '../../../kernel/toolkit/json/index.js'
import {
  type AppAtPlace,
  answeredObject,
  numberSubject,
  OAuthApp,
} from '../../../kernel/toolkit/oauth/index.js'

export default function create({ settings, fetch, log }: OutgoingKit): OAuthProvider {
  const app = new OAuthApp(place, { settings, fetch })

  /** The address people confirmed and read. They may withhold the scope, so a sign-in does without. */
  async function emailFor(headers: Readonly<Record<string, string>>): Promise<string | undefined> {
    const response = await fetch('https://api.github.com/user/emails', { headers })
    if (!response.ok) throw new Error(`GitHub answered addresses with status ${response.status}.`)
    const addresses = objectsOf((await response.json().catch(() => [])) as Json)
    return someText(addresses.find((one) => one.primary === true && one.verified === true)?.email)
  }

  async function identify(answer: OAuthAnswer) {
    const token = await app.token(answer)
    const headers = { ...requested, authorization: `Bearer ${token}` }
    const user = await answeredObject(
      'GitHub',
      await fetch('https://api.github.com/user', { headers }),
      'who it is',
    )
    const email = await emailFor(headers).catch((err: unknown) => {
      log.warn({ err }, 'GitHub returned no e-mail address')
      return undefined
    })
    return {
      // The number stays when people change their login, and a login that was given up may be taken by others.
      subject: numberSubject('GitHub', user.id),
      username: someText(user.login),
      displayName: someText(user.name),
      ...(email !== undefined && { email, emailVerified: true }),
    }
  }

  return {
    authorize: (request) => app.authorize(request),
    identify,
    ready: () => app.ready(),
  }
}

/** GitHub refuses calls without a user agent. */
const requested = { accept: 'application/json', 'user-agent': 'waybill' }

const place: AppAtPlace = {
  place: 'GitHub',
  authorizationEndpoint: 'https://github.com/login/oauth/authorize',
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
  scope: 'user:email',
  secretIn: 'form',
  headers: requested,
}
