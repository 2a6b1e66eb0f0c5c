/** Signing in with Discord. Its ids are 64 bits wide and come as text; as numbers two of them could become one. */
import type { Json } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { AuthorizeAsk, OAuthAnswer, OAuthProvider } from '../../../kernel/contract/oauth.js'
import { someText } from '../../../kernel/wire/fields.js'
import { answeredObject, basicCredential, oauthFault } from '../../../kernel/wire/oauth-answers.js'

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  function authorize({ state, redirectUri, codeChallenge }: AuthorizeAsk): URL {
    const url = new URL('https://discord.com/oauth2/authorize')
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: settings.string('clientId'),
      redirect_uri: redirectUri,
      scope: 'identify email',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString()
    return url
  }

  async function tokenFor(code: string, { redirectUri, codeVerifier }: OAuthAnswer) {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    })
    const response = await fetch('https://discord.com/api/oauth2/token', {
      method: 'POST',
      headers: {
        ...asked,
        authorization: basicCredential(
          settings.string('clientId'),
          settings.string('clientSecret'),
        ),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    })
    const token = someText((await answeredObject('Discord', response, 'the code')).access_token)
    if (token === undefined) throw new Error('Discord answered the code without a token.')
    return token
  }

  async function identify(answer: OAuthAnswer) {
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error(`Discord sent no code: ${oauthFault(answer.params)}.`)
    const token = await tokenFor(code, answer)
    const response = await fetch('https://discord.com/api/v10/users/@me', {
      headers: { ...asked, authorization: `Bearer ${token}` },
    })
    const user = await answeredObject('Discord', response, 'who it is')
    const email = someText(user.email)
    return {
      subject: subjectFrom(user.id),
      username: someText(user.username),
      displayName: someText(user.global_name),
      ...(email !== undefined && { email, emailVerified: user.verified === true }),
    }
  }

  return {
    authorize,
    identify,
    ready: () => settings.string('clientId') !== '' && settings.string('clientSecret') !== '',
  }
}

const asked = { accept: 'application/json', 'user-agent': 'waybill' }

function subjectFrom(id: Json | undefined): string {
  if (typeof id === 'string' && /^[1-9]\d{0,19}$/.test(id)) return id
  throw new Error('Discord told no id of the person.')
}
