/** What the prices area takes. */
import joi from 'joi'
import { pagedQuery } from '../../../kernel/toolkit/management/index.js'
import type { PriceChanges, WrittenCard } from '../../services/pricing/index.js'

export interface PriceSearch {
  readonly p: number
  readonly page_size: number
  readonly keyword: string
}

export interface NameQuery {
  readonly name: string
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

/** A decimal as text, so that every digit is kept; which it may be is checked where it is stored. */
const amount = joi.string().max(64)

/** What may stand in it is checked where it is stored (BILL-7, BILL-8). */
const rateCard = joi
  .object<WrittenCard>({
    unit: joi.string().max(64).required().example('second'),
    price: amount.description('US dollars per unit. In place of rates.').example('0.07'),
    rates: joi
      .array()
      .max(500)
      .items(
        joi
          .object({
            when: joi
              .object()
              .pattern(joi.string(), joi.string().max(256))
              .default({})
              .description('Value by dimension; * is any.'),
            price: amount.required().description('US dollars per unit.'),
          })
          .unknown(false),
      )
      .description('The first that fits is the price.'),
    minimum: amount.description('Least units billed.').example('5'),
    step: amount.description('Units are rounded up to a multiple of it.').example('1'),
  })
  .unknown(false)
  .prefs({ stripUnknown: false })

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
    rate_card: rateCard.allow(null),
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

export interface ExampleForm {
  readonly model: string
  readonly card: WrittenCard
  readonly group: string
  readonly quantity?: number
  readonly dimensions: Readonly<Record<string, string>>
}

export const exampleForm = joi
  .object<ExampleForm>({
    model: joi.string().max(512).required(),
    card: rateCard.required(),
    group: joi.string().max(128).default('default').description('Whose ratio counts.'),
    quantity: joi.number().min(0).description('Of the unit. Left out: none is stated.'),
    dimensions: joi
      .object()
      .pattern(joi.string().max(64), joi.string().allow('').max(256))
      .max(64)
      .default({})
      .description('Value by dimension.'),
  })
  .required()

export const changeQuery = joi
  .object({ dry_run: joi.boolean().truthy('1').falsy('0', '').default(false) })
  .prefs({ stripUnknown: true })

export const priceSearch = pagedQuery({
  keyword: joi.string().trim().allow('').max(256).default(''),
})

export interface UnitsQuery {
  readonly model: string
}

export const unitsQuery = joi
  .object<UnitsQuery>({ model: joi.string().max(512).required() })
  .prefs({ stripUnknown: true })

export const nameQuery = joi
  .object({ name: joi.string().trim().normalize('NFC').max(256).required() })
  .prefs({ stripUnknown: true })
