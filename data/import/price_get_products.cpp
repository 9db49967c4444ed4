// SPDX-License-Identifier: GPL-3.0-or-later
// `aws pricing get-products`: pages whose `PriceList` holds JSON inside strings, one product with
// its terms each. Also what people make of them: several pages one after the other, an array of
// strings or of decoded products, a product a line.
#include "data/import/price_aws_terms.h"
#include "data/import/price_formats.h"
#include "data/import/price_json.h"

namespace trainwright::import::prices {
namespace {

class ProductReader {
public:
    explicit ProductReader(PriceCollector& collector) : collector_(collector) {}

    /// An element of a price list, or a whole document: a string, a product, a page, or an array
    /// of them.
    void read(JsonReader& json, Token token) {
        if (token == Token::String) {
            readText(json);
        } else if (token == Token::ArrayBegin) {
            json.elements([&](Token element) { read(json, element); });
        } else if (token == Token::ObjectBegin) {
            readObject(json);
        } else if (token != Token::Error) {
            json.fail(
                "a product of the price list is expected here: an object, or a string that "
                "holds one");
        }
    }

    [[nodiscard]] long products() const { return products_; }

private:
    /// JSON text inside a string.
    void readText(JsonReader& outer) {
        const std::string text(outer.text());
        TextSource source(text);
        JsonReader inner(source, {}, outer.place());
        const Token first = inner.next();
        if (first == Token::ObjectBegin) {
            readObject(inner);
        } else if (!inner.failed()) {
            inner.fail("the JSON text inside this string is not an object");
        }
        if (!inner.failed() && inner.next() != Token::End && !inner.failed()) {
            inner.fail("something follows the object inside this string");
        }
        if (inner.failed()) {
            Finding finding = inner.error();
            finding.text =
                Text{"in the JSON text inside this string: {1}", {finding.text}};
            outer.fail(std::move(finding));
        }
    }

    void readObject(JsonReader& json) {
        AwsProduct product;
        bool isProduct = false;
        struct Kept {
            AwsTerm term;
        };
        std::vector<Kept> terms;
        std::string published;
        json.members([&](std::string_view key) {
            if (key == "PriceList") {
                json.array([&](Token element) { read(json, element); });
            } else if (key == "product") {
                isProduct = true;
                readProduct(json, product);
            } else if (key == "terms") {
                json.object([&](std::string_view kind) {
                    const bool isReserved = kind == "Reserved";
                    if (!isReserved && kind != "OnDemand") return json.skip();
                    json.object([&](std::string_view) {
                        AwsTerm term;
                        term.isReserved = isReserved;
                        readAwsTerm(json, term);
                        terms.push_back({std::move(term)});
                    });
                });
            } else if (key == "publicationDate") {
                published = dayOf(json.scalar());
            } else {
                json.skip();
            }
        });
        if (json.failed()) return;
        collector_.setPublished(published);
        if (!isProduct) return;
        ++products_;
        const std::optional<PricePlace> place = placeOf(product, collector_);
        if (!place) return;
        const AwsMachine machine{product.sku, product.instanceType, *place};
        for (const Kept& kept : terms) kept.term.finish(machine, collector_);
        if (collector_.knows(machine.unit)) {
            collector_.take(
                catalog::ImportedSku{0, machine.sku, machine.unit, place->region, place->zone});
        }
    }

    static void readProduct(JsonReader& json, AwsProduct& product) {
        json.object([&](std::string_view key) {
            if (key == "sku") {
                product.sku = json.scalar();
            } else if (key == "productFamily") {
                product.productFamily = json.scalar();
            } else if (key == "attributes") {
                json.object([&](std::string_view attribute) {
                    const std::string name(attribute);
                    product.set(name, json.scalar());
                });
            } else {
                json.skip();
            }
        });
    }

    PriceCollector& collector_;
    long products_ = 0;
};

}  // namespace

Trouble readGetProducts(FileSource& source, const std::string& file, PriceCollector& collector) {
    JsonReader json(source, file);
    ProductReader reader(collector);
    while (true) {
        const Token token = json.next();
        if (token == Token::End || token == Token::Error) break;
        reader.read(json, token);
    }
    if (json.failed()) return json.error();
    collector.setFormat("AWS get-products");
    if (reader.products() == 0) {
        collector.note(Text{"The price list has no products.", {}});
    }
    return std::nullopt;
}

}  // namespace trainwright::import::prices
