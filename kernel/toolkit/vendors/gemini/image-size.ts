/** A size in pixels as this service takes it: an aspect ratio and a class of resolution. */
import type { Json } from '../../../contract/json.js'

export interface GeminiSize {
  readonly aspectRatio?: string
  /** `2K` or `4K`; absent: the model's own. */
  readonly imageSize?: string
}

/** Ratios every image model of the service takes. */
const ratios = ['1:1', '3:4', '4:3', '9:16', '16:9'] as const

/** Takes `1024x1536`, `16:9`, `auto` or nothing; undefined for what is none of these. */
export function imageSize(
  size: Json | undefined,
  quality: Json | undefined,
): GeminiSize | undefined {
  const fine = quality === 'hd' || quality === 'high' ? { imageSize: '2K' } : {}
  if (size === undefined || size === null || size === 'auto' || size === '') return fine
  if (typeof size !== 'string') return undefined
  if (/^\d{1,2}:\d{1,2}$/.test(size)) return { aspectRatio: size, ...fine }
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  if (width === undefined || height === undefined) return undefined
  const [across, down] = [Number(width), Number(height)]
  return { aspectRatio: nearest(across / down), ...fine, ...resolution(Math.max(across, down)) }
}

/** By what multiplies: 3:4 is as far from 1:1 as 4:3 is. */
function nearest(ratio: number): string {
  const distance = (name: string) => Math.abs(Math.log(ratio / quotient(name)))
  return [...ratios].sort((one, other) => distance(one) - distance(other))[0]!
}

function quotient(name: string): number {
  const [across, down] = name.split(':')
  return Number(across) / Number(down)
}

function resolution(longest: number): { imageSize?: string } {
  if (longest > 2816) return { imageSize: '4K' }
  return longest > 1792 ? { imageSize: '2K' } : {}
}
