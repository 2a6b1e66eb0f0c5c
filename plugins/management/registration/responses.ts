/** What resetting a password returns. */
import joi from 'joi'

export const drawnPassword = joi
  .string()
  .allow(null)
  .description('The password that was drawn; null where the request brought one.')
