/** Signing in with Discord. Its ids are 64 bits wide and come as text; as numbers two of them could become one. */
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { OAuthAnswer, OAuthProvider } from '../../../kernel/contract/oauth.js'
import { someText } from '../../../kernel/toolkit/json/index.js'
import {
  type AppAtPlace,
  answeredObject,
  digitsSubject,
  OAuthApp,
} from '../../../kernel/toolkit/oauth/index.js'

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  const app = new OAuthApp(place, { settings, fetch })

  async function identify(answer: OAuthAnswer) {
    const token = await app.token(answer)
    const response = await fetch('https://discord.com/api/v10/users/@me', {
      headers: { ...requested, authorization: `Bearer ${token}` },
    })
    const user = await answeredObject('Discord', response, 'who it is')
    const email = someText(user.email)
    return {
      subject: digitsSubject('Discord', user.id),
      username: someText(user.username),
      displayName: someText(user.global_name),
      ...(email !== undefined && { email, emailVerified: user.verified === true }),
    }
  }

  return {
    authorize: (request) => app.authorize(request),
    identify,
    ready: () => app.ready(),
  }
}

const requested = { accept: 'application/json', 'user-agent': 'waybill' }

const place: AppAtPlace = {
  place: 'Discord',
  authorizationEndpoint: 'https://discord.com/oauth2/authorize',
  tokenEndpoint: 'https://discord.com/api/oauth2/token',
  scope: 'identify email',
  secretIn: 'header',
  headers: requested,
}
