/** The words most management forms are made of. */
import joi from 'joi'

/**
 * Nothing that turns, hides or breaks off what stands around it: controls, lone surrogates, marks of direction, blanks
 * without width. What joins letters stays, since scripts and emoji need it (X8).
 */
export const visible = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}\u200b\u2060\ufeff]*$/u
/** How a refusal names the rule above. */
export const visibleOnly = 'only characters that can be seen'

/** Number of a row. */
export const rowId = joi.number().integer().min(1).max(2_147_483_647)

/** One line of text, as it is shown: composed, without blanks around it. Empty ones are refused unless `allow('')`. */
export const oneLine = joi.string().trim().normalize('NFC').pattern(visible, visibleOnly)

/**
 * A user name: letters and digits of any script in their plain form, and nothing that leaves no mark, so that no two
 * names look alike by width, ligatures or what cannot be seen.
 */
export const userName = joi
  .string()
  .trim()
  .normalize('NFKC')
  .pattern(
    /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}._@+-]{1,32}$/u,
    '1 to 32 letters, digits or . _ @ + -',
  )

/** Of a write that takes nothing: clients send an empty object. */
export const noFields = joi.object({}).prefs({ stripUnknown: true })

/** Several lines, but nothing the database cannot keep. */
export const manyLines = joi
  .string()
  .allow('')
  .pattern(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'no control characters')

/** Lengths of a password in characters, as people count them. Verifying knows the upper one too (ASVS 6.2.1, 6.2.9). */
const passwordCharactersMin = 8
export const passwordCharactersMax = 128

/** A password somebody chooses: any characters, as they are. How hard it is to guess is judged where it is hashed. */
export const newPassword = joi
  .string()
  .min(passwordCharactersMin)
  .max(2 * passwordCharactersMax)
  .custom((text: string, { message }) => {
    const { length } = [...text]
    if (length < passwordCharactersMin) {
      return message({
        custom: `{{#label}} must have at least ${passwordCharactersMin} characters`,
      })
    }
    return length <= passwordCharactersMax
      ? text
      : message({ custom: `{{#label}} must have at most ${passwordCharactersMax} characters` })
  })
