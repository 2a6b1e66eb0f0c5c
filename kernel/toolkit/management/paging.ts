/** Paged management lists. In the query `p` counts from 1, `page_size` is capped; `size` and `ps` are its older names. */
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

/** The `data` of a paged list whose items have this form. For `response` of a route, where every key is there. */
export function pageOf(item: joi.Schema): joi.ObjectSchema {
  const count = joi.number().integer().min(0)
  return joi.object({ page: count, page_size: count, total: count, items: joi.array().items(item) })
}

/** `data` of a route that has nothing to return. */
export const noData: joi.Schema = joi.valid(null)
