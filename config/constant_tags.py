"""Tags of Django whose output is known when a template is compiled: sentences and static files.

A page of a worker has a hundred of them, which took a seventh of its time. They replace
the libraries `i18n` and `static`. `template_loader` compiles a template once a language.
"""

from django.template import Context, Library, Node
from django.template.base import FilterExpression, Origin, Parser, TextNode, Token
from django.templatetags import i18n
from django.templatetags.static import StaticNode
from django.utils.html import conditional_escape
from django.utils.translation import gettext, pgettext

from config.bundles import tags_of

register = Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters


@register.tag("trans")
@register.tag("translate")
def translate(parser: Parser, token: Token) -> Node:
    """Compile `{% translate "a sentence" %}` to its translation."""
    node = i18n.do_translate(parser, token)
    sentence = node.filter_expression
    is_known = sentence.var.literal is not None and not sentence.filters and not node.asvar
    if not is_known or not _is_literal(node.message_context) or not _is_loaded(parser):
        return node
    return TextNode(node.render(Context()))


@register.tag("blocktrans")
@register.tag("blocktranslate")
def blocktranslate(parser: Parser, token: Token) -> Node:
    """Compile a block without variables to its translation."""
    node = i18n.do_block_translate(parser, token)
    message, variables = node.render_token_list(node.singular)
    if variables or node.plural or node.extra_context or node.asvar or not _is_loaded(parser):
        return node
    if node.message_context is None:
        return TextNode(gettext(message) % ())
    if not _is_literal(node.message_context):
        return node
    return TextNode(pgettext(node.message_context.resolve(Context()), message) % ())


@register.tag
def static(parser: Parser, token: Token) -> Node:
    """Compile `{% static "a file" %}` to its address."""
    node = StaticNode.handle_token(parser, token)
    if node.varname or not _is_literal(node.path):
        return node
    return TextNode(conditional_escape(node.url(Context())))


@register.tag
def bundle(parser: Parser, token: Token) -> Node:
    """Compile `{% bundle "js/page.js" %}` to the tags that load it with what it imports."""
    return TextNode(tags_of(token.split_contents()[1].strip('"')))


def _is_literal(expression: FilterExpression | None) -> bool:
    return expression is None or (isinstance(expression.var, str) and not expression.filters)


def _is_loaded(parser: Parser) -> bool:
    """Return whether the template is compiled for one language: one from a string may not be."""
    origin: Origin | None = parser.origin
    return origin is not None and origin.loader is not None
