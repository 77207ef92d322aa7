import plotLibrary from 'uplot/dist/uPlot.iife.min.js?raw';
import plotStyle from 'uplot/dist/uPlot.min.css?raw';
import pageStyle from './page.css?raw';
import pageScript from './page.js?raw';
import mediaStyle from './page-media.css?raw';
import partsStyle from './page-parts.css?raw';

/** What the pages load, each as one text: nothing comes from elsewhere. */
export const style = [plotStyle, pageStyle, partsStyle, mediaStyle].join('\n');
/** uPlot, as its package has it; only pages with a plot need it. */
export const library = plotLibrary;
export const script = pageScript;
