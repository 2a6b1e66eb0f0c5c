/** What the prices area takes. */
import joi from 'joi'
import { pagedQuery } from '../../../kernel/toolkit/management/index.js'
import type { PriceChanges } from '../../services/pricing/index.js'

export interface PriceSearch {
  readonly p: number
  readonly page_size: number
  readonly keyword: string
}

export interface ChangeForm {
  readonly changes: PriceChanges
  /** As the preview answered it: saved only while the prices it showed still stand. */
  readonly seen?: string
}

export interface ChangeQuery {
  readonly dry_run: boolean
}

/** As many as the price options have entries: a whole list may be taken over in one change. */
const changesMax = 20_000

/** Not negative and finite; how many digits it may have is checked where it is stored (BILL-7). */
const figure = joi.number().min(0).allow(null)

const change = joi
  .object({
    model_price: figure,
    model_ratio: figure,
    completion_ratio: figure,
    cache_ratio: figure,
    create_cache_ratio: figure,
    image_ratio: figure,
    audio_ratio: figure,
    audio_completion_ratio: figure,
    free: joi.boolean(),
  })
  .unknown(false)
  .prefs({ stripUnknown: false })

export const changeForm = joi
  .object({
    changes: joi
      .object()
      // Every name is a model's: one that does not fit would be dropped in silence.
      .pattern(joi.string().allow(''), change.allow(null))
      .min(1)
      .max(changesMax)
      .required(),
    seen: joi.string().max(64),
  })
  .required()

export const changeQuery = joi
  .object({ dry_run: joi.boolean().truthy('1').falsy('0', '').default(false) })
  .prefs({ stripUnknown: true })

export const priceSearch = pagedQuery({
  keyword: joi.string().trim().allow('').max(256).default(''),
})
