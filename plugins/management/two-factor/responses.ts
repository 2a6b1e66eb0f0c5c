/** What the area of authenticators returns. */
import joi from 'joi'

const recoveryCodes = joi
  .array()
  .items(joi.string())
  .description('Recovery codes, shown this once; each is good for one use.')

export const twoFactorStatus = joi
  .object({
    enabled: joi.boolean(),
    locked: joi.boolean().description('Too many wrong codes; none is accepted for now.'),
    backup_codes_remaining: joi.number().integer().min(0),
  })
  .id('TwoFactorStatus')

export const twoFactorSetup = joi
  .object({
    secret: joi.string().description('Base32.'),
    qr_code_data: joi.string().description('The otpauth:// address for a QR code.'),
    backup_codes: recoveryCodes,
  })
  .id('TwoFactorSetup')

export const renewedCodes = joi.object({ backup_codes: recoveryCodes })
