/** Sizes of pictures and clips: as pixels, as the words makers sell them by, and as a shape. */

export interface Frame {
  readonly width: number
  readonly height: number
  /** `720p`. */
  readonly resolution: string
  /** `16:9`, in lowest terms, the usual words for what is within a hundredth of them. */
  readonly aspect: string
}

/** `1280x720`, also with `*` or `×`. Undefined: no size. */
export function frameOf(size: string | undefined): Frame | undefined {
  const found = /^\s*(\d{2,5})\s*[x*×]\s*(\d{2,5})\s*$/i.exec(size ?? '')
  if (found === null) return undefined
  const [width, height] = [Number(found[1]), Number(found[2])]
  if (width === 0 || height === 0) return undefined
  return { width, height, resolution: resolutionOf(width, height), aspect: aspectOf(width, height) }
}

const usualAspects = [
  '16:9',
  '9:16',
  '1:1',
  '4:3',
  '3:4',
  '3:2',
  '2:3',
  '21:9',
  '9:21',
  '5:4',
  '4:5',
]

function aspectOf(width: number, height: number): string {
  const usual = usualAspects.find((words) => {
    const [w = 1, h = 1] = words.split(':').map(Number)
    return Math.abs(width / height / (w / h) - 1) < 0.02
  })
  if (usual !== undefined) return usual
  const divisor = greatestDivisor(width, height)
  return `${width / divisor}:${height / divisor}`
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

const resolutions = [360, 480, 512, 540, 576, 580, 720, 768, 1080, 1440, 2160]

/**
 * By the shorter side. Of a square, or nearly one, and of a side nobody sells by: by the area, as of the frame of 16:9 that has as
 * much of it. So 1440x1440 is 1080p.
 */
function resolutionOf(width: number, height: number): string {
  const shorter = Math.min(width, height)
  const isSquarish = Math.max(width, height) < shorter * 1.3
  if (!isSquarish && resolutions.includes(shorter)) return `${shorter}p`
  const side = Math.sqrt((width * height * 9) / 16)
  const nearest = resolutions.reduce((best, one) =>
    Math.abs(one - side) < Math.abs(best - side) ? one : best,
  )
  return `${nearest}p`
}

/** Pixels for a resolution and a shape: `720p` and `16:9` are 1280 x 720; sides are even. Undefined: not known. */
export function sizeWords(resolution: string, aspect: string): string | undefined {
  const shorter = Number(/^(\d{3,4})p$/i.exec(resolution)?.[1])
  const [w = 0, h = 0] = aspect.split(':').map(Number)
  if (!(shorter > 0) || !(w > 0) || !(h > 0)) return undefined
  const longer = Math.round((shorter * Math.max(w, h)) / Math.min(w, h) / 2) * 2
  return w >= h ? `${longer}x${shorter}` : `${shorter}x${longer}`
}
