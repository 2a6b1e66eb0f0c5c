/** Texts the operator writes for everybody: Markdown, HTML, or the address of a page. Empty: none. */
import { request } from './request.js'

const paths = {
  notice: '/api/notice',
  about: '/api/about',
  home: '/api/home_page_content',
  'user-agreement': '/api/user-agreement',
  'privacy-policy': '/api/privacy-policy',
} as const

export type SiteText = keyof typeof paths

export async function readSiteText(text: SiteText): Promise<string> {
  return (await request<string | null>('GET', paths[text])) ?? ''
}
