import { renderXmlAttribute, renderXmlText } from './render-xml.ts';

/** Text from outside as HTML text, or as the value of an attribute in quotes. Not for scripts, styles or URLs. */
export const renderHtml = (text: string): string => renderXmlText(text);

/** The same on one line. */
export const renderHtmlLine = (text: string): string => renderXmlAttribute(text);
