/** Signing in with LINUX DO, a forum that reports how far it trusts a member: an admin may require a level. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { OAuthAnswer, OAuthProvider } from '../../../kernel/contract/oauth.js'
import { numberOf, someText } from '../../../kernel/toolkit/json/index.js'
import {
  type AppAtPlace,
  answeredObject,
  numberSubject,
  OAuthApp,
} from '../../../kernel/toolkit/oauth/index.js'

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  const app = new OAuthApp(place, { settings, fetch })

  function admit({ active, silenced, trust_level }: JsonObject): number {
    if (active !== true) throw new Error('This account of LINUX DO is not active.')
    if (silenced === true) throw new Error('This account of LINUX DO is silenced.')
    const level = numberOf(trust_level)
    if (level === undefined) throw new Error('LINUX DO returned no trust level of the person.')
    const least = settings.number('minimumTrustLevel')
    if (level >= least) return level
    throw new Error(`This account of LINUX DO has the trust level ${level}; ${least} is needed.`)
  }

  async function identify(answer: OAuthAnswer) {
    const token = await app.token(answer)
    const response = await fetch('https://connect.linux.do/api/user', {
      headers: { ...requested, authorization: `Bearer ${token}` },
    })
    const user = await answeredObject('LINUX DO', response, 'who it is')
    return {
      subject: numberSubject('LINUX DO', user.id),
      username: someText(user.username),
      displayName: someText(user.name),
      claims: { trust_level: admit(user) },
    }
  }

  return {
    authorize: (request) => app.authorize(request),
    identify,
    ready: () => app.ready(),
  }
}

const requested = { accept: 'application/json' }

const place: AppAtPlace = {
  place: 'LINUX DO',
  authorizationEndpoint: 'https://connect.linux.do/oauth2/authorize',
  tokenEndpoint: 'https://connect.linux.do/oauth2/token',
  secretIn: 'header',
  headers: requested,
}
