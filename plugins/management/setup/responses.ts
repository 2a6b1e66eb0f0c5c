/** What the setup area returns. */
import joi from 'joi'

export const setupState = joi
  .object({
    status: joi.boolean().description('The gateway is set up.'),
    root_init: joi.boolean().description('The same.'),
    database_type: joi.string().valid('postgres', 'pglite'),
    suggested: joi
      .object({ RegisterEnabled: joi.boolean(), PrivateUpstreamsEnabled: joi.boolean().optional() })
      .optional()
      .description(
        'What a form may leave out, by question; those the environment has decided are absent. Absent as a whole once the gateway is set up.',
      ),
  })
  .id('SetupState')
