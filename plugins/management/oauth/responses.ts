/** What the area of signing in by another place returns. */
import joi from 'joi'
import {
  responseForm,
  translationsForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { OAuthButton } from '../../services/oauth/index.js'
import type { SignIn } from '../../services/sign-in/index.js'

const style = joi
  .string()
  .valid('redirect', 'code', 'widget')
  .description('The browser goes there, a code is typed, or a widget of theirs is shown.')

const translations = translationsForm.optional().description('Its title in other languages.')

const button = responseForm<OAuthButton>({
  provider: joi.string().example('github'),
  title: joi.string().example('GitHub'),
  icon: joi
    .string()
    .allow('')
    .description(
      'A data URL where its plugin ships an image; else a name, or what an admin wrote.',
    ),
  translations,
  style,
  facts: joi.object().unknown().description('What anyone may know of it, such as a client id.'),
}).id('SignInProvider')

export const buttonList = joi.array().items(button)

export const begun = joi
  .object({
    flow_token: joi.string().description('The same as `state`.'),
    state: joi.string().description('Goes to the provider and comes back; good for one sign-in.'),
    expires_at: unixSeconds,
    authorize_url: joi
      .string()
      .allow(null)
      .description('Where the browser goes. Null: the person stays on the page.'),
    style,
  })
  .id('BegunSignIn')

export function finished(signIn: Pick<SignIn, 'response'>): joi.Schema {
  const redirect = joi.string().description('Path the browser goes to.')
  return joi
    .alternatives(signIn.response({ redirect }), joi.object({ action: joi.string().valid('bind') }))
    .description('Of a sign-in what signing in returns; of a binding, that it is bound.')
}

export const bindingList = joi.array().items(
  joi
    .object({
      provider: joi.string().example('github'),
      title: joi.string(),
      translations,
      name: joi.string().allow('').description('Who they are there.'),
      created_at: unixSeconds,
    })
    .id('SignInBinding'),
)
