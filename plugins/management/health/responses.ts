/** What the probes of health return. */
import joi from 'joi'

export const healthy = joi.object({ status: joi.string().valid('ok') })
