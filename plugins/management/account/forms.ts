/** What people change of their own account. */
import joi from 'joi'
import { newPassword, oneLine, userName } from '../../../kernel/toolkit/management/index.js'

export interface SelfChanges {
  readonly username?: string
  readonly display_name?: string
  readonly password?: string
  readonly original_password?: string
  readonly language?: string
  /** JSON text the console wrote. */
  readonly sidebar_modules?: string
  readonly first_steps_hidden?: boolean
}

/** Forms send a blank field for "as it is". */
export const selfChanges = joi
  .object({
    username: userName.empty(''),
    display_name: oneLine.empty('').max(64),
    password: newPassword.empty(''),
    original_password: joi.string().empty('').max(1024),
    language: joi
      .string()
      .empty('')
      .pattern(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/, 'a language tag, as en or zh-CN'),
    sidebar_modules: joi
      .string()
      .allow('')
      .max(16_384)
      .custom((text: string, { message }) =>
        text === '' || isJsonObject(text)
          ? text
          : message({ custom: '{{#label}} must be the text of a JSON object' }),
      ),
    first_steps_hidden: joi.boolean(),
  })
  .prefs({ stripUnknown: true })
  .required()

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
