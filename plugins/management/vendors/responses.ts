/** What the vendors area returns. */
import joi from 'joi'
import { pageOf } from '../../../kernel/toolkit/management/index.js'
import type { VendorRecord } from './vendor-row.js'

export const vendor = joi
  .object<VendorRecord, true>({
    id: joi.number().integer().example(3),
    name: joi.string().example('Anthropic'),
    description: joi.string().allow(''),
    icon: joi
      .string()
      .allow('')
      .description('The name of an icon of the console, or an address of a picture.'),
    status: joi.number().valid(0, 1, 2).description('1: on. 0 and 2: off.'),
    created_time: joi.number().integer().description('Unix seconds.'),
    updated_time: joi.number().integer().description('Unix seconds.'),
  })
  .id('Vendor')

export const vendorPage = pageOf(vendor)
