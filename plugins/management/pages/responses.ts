/** What the area of pages returns. */
import joi from 'joi'

export const text = joi
  .string()
  .allow('')
  .description('As the operator wrote it: Markdown, HTML or the address of a page. Empty: none.')

export const uptimeGroups = joi.array().items(
  joi.object({
    categoryName: joi.string(),
    monitors: joi.array().max(0).description('Always empty: monitors are read by the browser.'),
  }),
)
