/** The query of every paged management list: `p` counts from 1, `page_size` is capped; `size` and `ps` are its older names. */
import joi from 'joi'

const pageSizeMax = 100

const paging = {
  p: joi.number().integer().min(0).max(1_000_000).default(1),
  page_size: joi
    .number()
    .integer()
    .min(1)
    .default(10)
    .custom((size: number) => Math.min(size, pageSizeMax)),
}

/** A schema with these fields beside those of paging. Unknown ones are dropped. */
export function pagedQuery(fields: joi.PartialSchemaMap = {}): joi.ObjectSchema {
  return joi
    .object({ ...paging, ...fields })
    .rename('size', 'page_size', { ignoreUndefined: true, override: true })
    .rename('ps', 'page_size', { ignoreUndefined: true, override: true })
    .prefs({ stripUnknown: true })
}
